import Foundation
import OstiaryCore
import OstiaryServer
import PMAuthentication
import PMBase
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app against a door on which nothing has the name that Ostiary expects, configured by a file alone. The settings belong to a process, so
/// each test has one of its own.
@Suite("An app against our server with other names")
struct RenamedDoorTests {
  /// Starts a server with other names and the user `jdoe`.
  static func withServer(_ body: (_ address: String) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    var door = PegaDoorConfiguration()
    door.contextPath = "/acme"
    door.realm = "Acme"
    door.mobileAppConfigurationActivity = "acmeMobile"
    door.accessGroupDetailsActivity = "acmeGroups"
    door.formLoginActivity = "Acme.SignOn"
    door.logOffActivity = "Acme.SignOff"
    door.snapStartActivity = "acmeStart"
    door.minContainerVersion = "20.1"
    door.maxContainerVersion = "20.9"
    door.names.servlet = "Front"
    door.names.activityParameter = "do"
    door.names.userParameter = "uid"
    door.names.passwordParameter = "pwd"
    door.names.guestParameter = "visitor"
    door.names.actionParameter = "what"
    door.names.loginFormID = "signon"
    door.names.errorElementID = "problem"
    door.names.sessionCookie = "ACME-SID"
    door.names.containerCookie = "ACMENODE"
    door.names.accessGroup = "group"
    door.names.accessGroups = "groups"
    door.names.applicationName = "application"
    door.names.baseURL = "home"
    door.names.operatorID = "who"
    door.names.operatorName = "name"
    door.names.minContainerVersion = "from"
    door.names.maxContainerVersion = "to"
    configuration.pega = door
    let application = try OstiaryApplication(configuration)
    let address = try await application.start().origin.description + "/acme"
    try await application.identity.addUser(name: "jdoe", password: "secret password")
    try await body(address)
    await application.stop()
  }

  /// The file.
  static func settings(signIn: String) -> String {
    """
    {
      "signIn": "\(signIn)", "contextPath": "/acme", "servletName": "Front",
      "mobileAppConfigurationActivity": "acmeMobile", "accessGroupDetailsActivity": "acmeGroups",
      "formLoginActivity": "Acme.SignOn", "logOffActivity": "Acme.SignOff",
      "activityParameter": "do", "userParameter": "uid", "passwordParameter": "pwd", "guestParameter": "visitor",
      "loginFormID": "signon", "errorElementID": "problem", "realmMark": "acme", "containerVersion": "20.5",
      "sessionCookieNames": ["ACME-SID"], "containerCookieNames": ["ACMENODE"],
      "keys": {
        "accessGroup": "group", "accessGroups": "groups", "applicationName": "application", "baseURL": "home",
        "operatorID": "who", "operatorName": "name", "minimumContainerVersion": "from", "maximumContainerVersion": "to"
      },
      "snapStart": { "activity": "acmeStart", "action": "what" },
      "errorNumbers": { "domain": "AcmeErrors", "invalidCredentials": -1001 }
    }
    """
  }

  /// What an app does from its first login on.
  static func live(signIn: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString).json")
    try Data(settings(signIn: signIn).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try PMPegaConfiguration.load(contentsOf: file)
    for cookie in HTTPCookieStorage.shared.cookies ?? [] { HTTPCookieStorage.shared.deleteCookie(cookie) }
    try await withServer { address in
      let sample = SampleViewController()
      sample.obtain(address)
      let authenticator = try #require(sample.authenticator)
      let wrong = await #expect(throws: NSError.self) {
        _ = try await authenticator.logIn(withUsername: "jdoe", password: "wrong")
      }
      try #require(wrong?.code == -1001 && wrong?.domain == "AcmeErrors")
      let json = try await authenticator.logIn(withUsername: "jdoe", password: "secret password")
      try #require(json["group"] as? String == "Uplus:Users" && json["who"] as? String == "jdoe")
      try #require(HTTPCookieStorage.shared.cookies?.contains { $0.name == "ACME-SID" } == true)
      try #require(try await authenticator.isLoggedIn().0)

      let text = await withCheckedContinuation { continuation in
        Task { @MainActor in
          let snapStart = PMSnapStartViewController()
          snapStart.delegate = sample
          sample.onEnd = {
            let page = MainActor.assumeIsolated { snapStart.page?.response.text }
            continuation.resume(returning: page ?? "")
          }
          snapStart.perform(PMCreateCaseAction(portalURL: URL(string: address), flowType: "foo", insClass: "bar"))
        }
      }
      try #require(sample.events == ["start", "finish"])
      try #require(text.contains("\"operator\":\"jdoe\"") && text.contains("\"what\":\"createNewWork\""))

      authenticator.loginActivity = .accessGroupDetails
      try #require(try await authenticator.isLoggedIn().1["groups"] as? [String] == ["Uplus:Users"])
      try await authenticator.logOff()
      let over = await #expect(throws: NSError.self) { _ = try await authenticator.isLoggedIn() }
      try #require(over?.code == PMAuthenticationErrorInvalidCredentials)
      try #require(HTTPCookieStorage.shared.cookies?.contains { $0.name == "ACME-SID" && !$0.value.isEmpty } != true)
    }
  }

  @Test("Bug-D02: log-in by Basic, SnapStart and log-off on a server with other names, by a file alone")
  func basic() async {
    await #expect(processExitsWith: .success) { try await RenamedDoorTests.live(signIn: "basic") }
  }

  @Test("Bug-D02: log-in by query on a server with other names, by a file alone")
  func query() async {
    await #expect(processExitsWith: .success) { try await RenamedDoorTests.live(signIn: "query") }
  }

  @Test("Bug-D02: log-in by the form on a server with other names, by a file alone")
  func form() async {
    await #expect(processExitsWith: .success) { try await RenamedDoorTests.live(signIn: "form") }
  }
}
