import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

/// Errors say which name did not fit what the server answered.
@Suite("Names that don't fit")
struct MisfitTests {
  static let password: Secret = "s3cret&password"
  let stub = PegaStub(users: ["jdoe": Self.password.reveal()], names: .renamed)

  /// The settings of the renamed server, but for one.
  func configuration(_ change: (inout PegaConfiguration) -> Void = { _ in }) -> PegaConfiguration {
    var configuration = PegaConfiguration()
    configuration.contextPath = "/acme"
    configuration.servletName = "Front"
    configuration.activityParameter = "do"
    configuration.mobileAppConfigurationActivity = "acmeMobile"
    configuration.accessGroupDetailsActivity = "acmeGroups"
    configuration.formLoginActivity = "Acme.SignOn"
    configuration.logOffActivity = "Acme.SignOff"
    configuration.snapStart.activity = "acmeStart"
    configuration.userParameter = "uid"
    configuration.passwordParameter = "pwd"
    configuration.loginFormID = "signon"
    configuration.errorElementID = "problem"
    configuration.realmMark = "acme"
    configuration.sessionCookieNames = ["ACME-SID"]
    configuration.containerCookieNames = ["ACMENODE"]
    configuration.keys.accessGroup = "group"
    configuration.keys.baseURL = "home"
    configuration.keys.operatorID = "who"
    configuration.keys.minimumContainerVersion = "from"
    configuration.keys.maximumContainerVersion = "to"
    configuration.containerVersion = "20.5"
    change(&configuration)
    return configuration
  }

  func failure(
    _ method: PegaSignInMethod, _ change: (inout PegaConfiguration) -> Void
  ) async throws -> OstiaryError {
    let authenticator = try stub.authenticator(method, configuration: configuration(change))
    let error = try #require(
      await #expect(throws: OstiaryError.self) {
        _ = try await authenticator.signIn(
          with: .password(username: "jdoe", password: Self.password), in: stub.context)
      })
    #expect(!"\(error) \(error.advice)".contains("s3cret"))
    return error
  }

  @Test(
    "Bug-D02: with every name set a renamed server is signed in to, in each way", arguments: PegaSignInMethod.allCases)
  func allSet(_ method: PegaSignInMethod) async throws {
    let authenticator = try stub.authenticator(method, configuration: configuration())
    let grant = try await authenticator.signIn(
      with: .password(username: "jdoe", password: Self.password), in: stub.context)
    #expect(grant.user.id == "jdoe")
    #expect(PegaLogin(grant.attributes, configuration: configuration()).accessGroup == "Uplus:Users")
    try await authenticator.end(grant.session(at: stub.url), in: stub.context)
    #expect(stub.sessionCount == 0)
  }

  @Test("Bug-D02: keys that the answer has not are named with those that it has")
  func keys() async throws {
    stub.answer(with: ["group": nil, "home": nil, "from": nil, "to": nil, "acmeGroup": "x", "acmeHome": "y"])
    let error = try await failure(.basic) { $0.keys.operatorID = "operator" }
    #expect(error.code == .unexpectedResponse)
    #expect(error.message.contains("no “group”, “home” or “operator”"))
    #expect(error.message.contains("It has “acmeGroup”, “acmeHome”, “who”."))
    #expect(error.advice.contains("keys.accessGroup, keys.baseURL, keys.operatorID"))
  }

  @Test("Bug-D02: a member that isn't what it should be is named")
  func values() async throws {
    stub.answer(with: ["home": "no address"])
    let error = try await failure(.basic) { _ in }
    #expect(error.message == "“home” in the server's answer is no address.")
    #expect(error.advice.contains("keys.baseURL"))
    stub.answer(with: ["home": nil, "group": 7])
    #expect(try await failure(.basic) { _ in }.message == "“group” in the server's answer is no name.")
  }

  @Test("Bug-D02: a server that repeats the password as a name is not quoted")
  func echo() async throws {
    let echoes = [
      Self.password.reveal(), Data(Self.password.reveal().utf8).base64EncodedString(),
      String(repeating: "x", count: 35) + Self.password.reveal(),
    ]
    stub.intercept { _ in .json(Dictionary(uniqueKeysWithValues: echoes.map { ($0, "x") })) }
    let error = try await failure(.query) { _ in }
    #expect(error.message.contains("‹secret›"))
    #expect(!error.message.contains(echoes[1]))
  }

  @Test("Bug-D02: an activity that the server doesn't know is named", arguments: [400, 404])
  func activity(_ status: Int) async throws {
    stub.intercept { $0.path.contains("do=other") ? .status(.init(code: status)) : nil }
    let error = try await failure(.basic) { $0.mobileAppConfigurationActivity = "other" }
    #expect(error.code == .unexpectedResponse)
    #expect(error.message == "The server answered \(status) to the activity “other”.")
    #expect(error.advice.contains("mobileAppConfigurationActivity"))
  }

  @Test("Bug-D02: a 404 leads to the path of the address first, and to a form's names not at all")
  func absent() async throws {
    stub.intercept { _ in .status(.notFound) }
    let error = try await failure(.basic) { _ in }
    #expect(error.advice.hasPrefix("Check the path of the server's address: “/acme/Front” was asked."))
    #expect(error.advice.hasSuffix(" If it is right, set mobileAppConfigurationActivity to what the server has."))
    let form = try await failure(.form) { _ in }
    #expect(form.code == .unexpectedResponse && form.requestMayHaveExecuted == false)
    #expect(form.message == "The server answered 404 in place of its login form.")
    #expect(form.advice == "Check the path of the server's address: “/acme/Front” was asked.")
  }

  @Test("Bug-D02: a server that fails with 500 has said nothing about names, and may be asked again")
  func failing() async throws {
    stub.intercept { $0.path.contains("do=other") ? .status(.internalServerError) : nil }
    let error = try await failure(.basic) { $0.mobileAppConfigurationActivity = "other" }
    #expect(error.code == .serverUnavailable)
  }

  @Test("Bug-D02: an activity that is answered with a page is named")
  func page() async throws {
    stub.intercept { $0.path.contains("do=other") ? .html("<h1>Portal</h1>") : nil }
    let error = try await failure(.basic) { $0.mobileAppConfigurationActivity = "other" }
    #expect(error.message.contains("the activity “other” with a page"))
    #expect(error.advice.contains("mobileAppConfigurationActivity"))
  }

  @Test("Bug-D02: a login form under other names is described, and the password stays here")
  func form() async throws {
    let error = try await failure(.form) {
      $0.loginFormID = "credentialsForm"
      $0.userParameter = "UserIdentifier"
      $0.passwordParameter = "Password"
    }
    #expect(error.message.contains("no form with the id “credentialsForm”"))
    #expect(error.message.contains("“UserIdentifier” and “Password”"))
    #expect(error.message.contains("It has “signon”, “pzAuth”, “uid”, “pwd”"))
    #expect(error.advice.contains("loginFormID, userParameter, passwordParameter"))
    let field = try await failure(.form) { $0.passwordParameter = "Password" }
    #expect(field.message.contains("The login form has no field “Password”."))
    #expect(field.requestMayHaveExecuted == false)
    #expect(!stub.transport.requests.contains { $0.head.method == .post })
  }

  @Test("Bug-D02: a log-off that the server doesn't know is named")
  func logOff() async throws {
    let authenticator = try stub.authenticator(configuration: configuration { $0.logOffActivity = "other" })
    let grant = try await authenticator.signIn(
      with: .password(username: "jdoe", password: Self.password), in: stub.context)
    stub.intercept { _ in .status(.notFound) }
    let error = await #expect(throws: OstiaryError.self) {
      try await authenticator.end(grant.session(at: stub.url), in: stub.context)
    }
    #expect(error?.message == "The server answered 404 to the activity “other”.")
    #expect(error?.advice.contains("logOffActivity") == true)
  }

  @Test("Bug-D02: the version that the server refuses is named")
  func version() async throws {
    let error = try await failure(.basic) { $0.containerVersion = "8.8" }
    #expect(error.code == .unsupportedClientVersion)
    #expect(error.advice.contains("8.8 (containerVersion)"))
  }

  @Test("Bug-D02: a SnapStart activity that the server doesn't know is named")
  func snapStart() async throws {
    let configuration = configuration {
      $0.snapStart.activity = "other"
      $0.isProduction = false
    }
    let authenticator = try stub.authenticator(configuration: configuration)
    let grant = try await authenticator.signIn(
      with: .password(username: "jdoe", password: Self.password), in: stub.context)
    let loader = SnapStartLoader(
      server: try PegaAddress(stub.url, configuration: configuration), configuration: configuration,
      context: stub.context)
    var cookies = grant.proof.cookies
    let error = await #expect(throws: OstiaryError.self) {
      _ = try await loader.load(SnapStartAction(.openCase(handle: "A 1")), cookies: &cookies)
    }
    #expect(error?.message.contains("404 to the activity “other”") == true, "\(String(describing: error))")
    #expect(error?.advice.contains("snapStart.activity") == true)
  }
}
