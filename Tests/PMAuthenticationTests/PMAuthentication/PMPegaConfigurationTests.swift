import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import PMBase
import TestSupport
import Testing

@Suite("PMPegaConfiguration")
struct PMPegaConfigurationTests {
  static let sample = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Examples/Migrations/Pega/Settings.json")

  func world(_ settings: Result<PegaSettings, OstiaryError>, _ stub: PegaStub = PegaStub()) -> World {
    var world = World(stub)
    world.environment.settings = settings
    return world
  }

  func settings(_ json: String) throws -> PegaSettings {
    try PegaSettings(json: Data(json.utf8), defaults: .vendor)
  }

  @Test("Bug-D02: a renamed server is used by a file alone, and errors have the file's numbers")
  func renamed() async throws {
    let stub = PegaStub(names: .renamed)
    let world = world(.success(try PegaSettings(contentsOf: Self.sample, defaults: .vendor)), stub)
    let authenticator = world.authenticator()
    let wrong = Calls()
    authenticator.logIn(withUsername: "jdoe", password: "wrong") { _, error in
      let error = error as NSError?
      wrong.note(Completion(error?.code == -1001 && error?.domain == "AcmeErrors", nil, nil))
    }
    #expect(try await wrong.first().isSuccess)
    #expect(try await authenticator.logIn().json?["who"] == "jdoe")
    #expect(world.cookies == ["ACME-SID /acme", "ACMENODE /acme/"])
    #expect(try await authenticator.isLoggedInResult().json?["group"] == "Uplus:Users")
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(world.cookies.isEmpty)
    #expect(stub.sessionCount == 0)
  }

  @Test("Bug-D02: settings of another origin keep the password here, and the error names both")
  func otherOrigin() async throws {
    for server in ["https://evil.test/prweb", "https://pega.test:8080/prweb", "http://pega.test/prweb"] {
      let world = world(.success(try settings(#"{"server":"\#(server)"}"#)))
      let result = try await world.authenticator().logIn()
      #expect(result.code == .invalidInputData)
      #expect(result.message?.contains("http://pega.test:8080. Nothing was sent.") == true)
      #expect(try await world.authenticator().isLoggedInResult().code == .invalidInputData)
      #expect(try await world.authenticator().logOffResult().code == .invalidInputData)
      #expect(world.stub.transport.count == 0)
    }
  }

  @Test("Bug-D02: an answer that names another origin takes nothing there")
  func otherBase() async throws {
    let world = world(.success(try settings(#"{"signIn":"form"}"#)))
    world.stub.answer(with: ["baseURL": "https://evil.test/prweb"])
    #expect(try await world.authenticator().logIn().isSuccess)
    #expect(try await world.authenticator().isLoggedInResult().isSuccess)
    #expect(world.stub.transport.requests.allSatisfy { $0.head.authority == "pega.test:8080" })
    world.stub.intercept { request in
      request.path.contains("pyActivity") ? nil : .html(PegaStub.loginForm(action: "https://evil.test/login"))
    }
    #expect(try await world.authenticator().logOffResult().isSuccess)
    #expect(try await world.authenticator().logIn().code == .unexpectedServerResponse)
    #expect(world.stub.transport.requests.allSatisfy { $0.head.authority == "pega.test:8080" })
  }

  @Test("Bug-D02: an app without an address uses the file's; the file's activity holds until the app chooses")
  func address() async throws {
    let json = #"{"server":"http://pega.test:8080/prweb","loginActivity":"accessGroupDetails"}"#
    let world = world(.success(try settings(json)))
    let authenticator = PMPegaAuthenticator(serverURL: nil, environment: world.environment)
    #expect(authenticator.loginActivity == .accessGroupDetails)
    #expect(try await authenticator.logIn().isSuccess)
    #expect(world.stub.transport.requests.last?.path.contains("pzAccessGroupDetails") == true)
    authenticator.loginActivity = .mobileAppConfiguration
    #expect(try await authenticator.isLoggedInResult().isSuccess)
    #expect(world.stub.transport.requests.last?.path.contains("pzMobileAppConfiguration") == true)
  }

  @Test("Bug-D02: settings that can't be used make every call fail, which says what is wrong")
  @MainActor func broken() async throws {
    let read = PMPegaConfiguration.settings(info: ["PMPegaConfiguration": ["realmMrk": "x"]]) { _ in nil }
    let world = world(read)
    for result in [
      try await world.authenticator().logIn(), try await world.authenticator().isLoggedInResult(),
      try await world.authenticator().logOffResult(),
    ] {
      #expect(result.code == .invalidInputData)
      #expect(result.message?.contains("“realmMrk” in PMPegaConfiguration of Info.plist is no setting") == true)
    }
    let listener = PMSnapStartViewControllerTests.Listener()
    let controller = PMSnapStartViewController(environment: world.environment)
    controller.delegate = listener
    controller.perform(PMCreateCaseAction(portalURL: world.stub.url, flowType: "f", insClass: "c"))
    try await listener.ended.pass()
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 3"])
    #expect(world.stub.transport.count == 0)
  }

  @Test("Bug-D02: an Info.plist has the settings, or the name of a file in the bundle")
  func infoPlist() throws {
    let none = PMPegaConfiguration.settings(info: ["CFBundleName": "App"]) { _ in nil }
    #expect(try none.get() == .vendor)
    #expect(try none.get().names.isProduction == false)
    let inline = PMPegaConfiguration.settings(
      info: ["PMPegaConfiguration": ["keys": ["accessGroup": "group"], "errorNumbers": ["network": -7]]]) { _ in nil }
    #expect(try inline.get().names.keys.accessGroup == "group")
    #expect(try inline.get().errorNumbers.network == -7)
    #expect(try inline.get().names.isProduction == false)
    let file = PMPegaConfiguration.settings(info: ["PMPegaConfiguration": "Settings.json"]) {
      $0 == "Settings.json" ? Self.sample : nil
    }
    #expect(try file.get().names.sessionCookieNames == ["ACME-SID"])
    for (value, message) in [
      ("Other.json" as Any, "The app's bundle has no file Other.json"), (7, "is neither a dictionary nor the name"),
      (["signIn": 7], "“signIn” in PMPegaConfiguration of Info.plist must be one of"),
      (["signIn": Date()], "neither text, number"),
    ] {
      let error = #expect(throws: OstiaryError.self) {
        _ = try PMPegaConfiguration.settings(info: ["PMPegaConfiguration": value]) { _ in nil }.get()
      }
      #expect(error?.message.contains(message) == true)
    }
  }

  @Test("Bug-D02: an authenticator that was made before takes the settings that are there at its first call")
  func beforeFirstCall() async {
    // The settings belong to a process, so this has one of its own.
    await #expect(processExitsWith: .success) {
      let authenticator = PMPegaAuthenticator(serverURL: URL(string: "http://127.0.0.1:9/prweb"))
      let json = """
        {"loginActivity":"accessGroupDetails","errorNumbers":{"domain":"Acme","network":-1009,"invalidCredentials":-1012}}
        """
      try PMPegaConfiguration.load(json: Data(json.utf8))
      try #require(authenticator.loginActivity == .accessGroupDetails)
      try #require(PMAuthenticationErrorNetwork == -1009 && PMAuthenticationErrorDomain == "Acme")
      try #require(PMAuthenticationError(rawValue: -1009) == .network)
      try #require(PMAuthenticationError(rawValue: 4) == nil)
      let error = await #expect(throws: NSError.self) { _ = try await authenticator.isLoggedIn() }
      try #require(error?.domain == "Acme" && error?.code == -1012)
      #expect(throws: OstiaryError.self) { try PMPegaConfiguration.load(json: Data("{\"x\":1}".utf8)) }
      let broken = PMPegaAuthenticator(serverURL: URL(string: "http://127.0.0.1:9/prweb"))
      let refused = await #expect(throws: NSError.self) { try await broken.logOff() }
      try #require(refused?.code == PMAuthenticationErrorInvalidInputData)
      PMPegaConfiguration.settings = PegaSettings()
      try #require(PMAuthenticationErrorNetwork == 4)
    }
  }
}
