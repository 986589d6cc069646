import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("Signing in through the Pega door", .timeLimit(.minutes(10)))
struct SignInTests {
  @Test(
    "PS1: every method and both activities sign in",
    arguments: PegaSignInMethod.allCases, PegaLoginActivity.allCases)
  func methods(_ method: PegaSignInMethod, _ activity: PegaLoginActivity) async throws {
    try await DoorServer.run { server in
      let grant = try await server.authenticator(method, activity).signIn(
        with: .jane, in: AuthenticationContext(transport: PlatformTransport()))
      #expect(grant.user == Session.User(id: "jdoe", displayName: "Jane Doe"))
      let login = PegaLogin(grant.attributes)
      #expect(login.accessGroup == "Uplus:Users")
      #expect(login.applicationName == "Uplus")
      #expect(login.accessGroups == (activity == .accessGroupDetails ? ["Uplus:Users"] : nil))
      #expect((grant.attributes["maxContainerVersion"] != nil) == (activity == .mobileAppConfiguration))
      let base = try #require(login.baseURL?.absoluteString)
      #expect(base.hasPrefix(server.url.absoluteString + "/PRServlet/"))
      #expect(base.hasSuffix("*/!STANDARD"))
      // PS2: the cookie belongs to the context.
      let cookie = try #require(grant.proof.cookies.cookies.first { $0.name == "Pega-RULES" })
      #expect(cookie.path == "/prweb")
      #expect(cookie.isHTTPOnly)
      #expect(cookie.value.reveal().hasPrefix("%09%7Bpd%7D"))
      // PS2: a form login ends at the session's own address.
      let sessionURL = grant.proof.tokens[PegaAuthenticator.sessionURLToken]?.reveal()
      #expect(sessionURL == (method == .form ? base : nil))
    }
  }

  @Test(
    "Pega-P15: awkward passwords pass through every method",
    arguments: [
      "100%", "a+b", "a&b=c", "x=y", "a:b:c", "é", "日本", "two words", "line\nbreak", "%41%2B", "\"'<>#?/\\", "🔑 key",
    ])
  func passwords(_ password: String) async throws {
    try await DoorServer.run(password: Secret(password)) { server in
      let credential = Credential.password(username: "jdoe", password: Secret(password))
      for method in PegaSignInMethod.allCases {
        let error = await failure { try await server.manager(method).signIn(with: credential) }
        // RFC 7617 §2 forbids control characters in a Basic field.
        let isForbidden = method == .basic && password.contains("\n")
        #expect(error?.code == (isForbidden ? .invalidInput : nil), "\(method)")
      }
    }
  }

  @Test("Pega-P15: a user name with a colon signs in by query and form")
  func colon() async throws {
    try await DoorServer.run(user: "corp:jane") { server in
      let credential = Credential.password(username: "corp:jane", password: DoorServer.password)
      #expect(await failure { try await server.manager(.basic).signIn(with: credential) }?.code == .invalidInput)
      let byQuery = try await server.manager(.query).signIn(with: credential)
      #expect(byQuery.user.id == "corp:jane")
      let byForm = try await server.manager(.form).signIn(with: credential)
      #expect(byForm.user.id == "corp:jane")
    }
  }

  @Test("Pega-P3: a wrong password and an unknown user are refused alike", arguments: PegaSignInMethod.allCases)
  func refused(_ method: PegaSignInMethod) async throws {
    try await DoorServer.run { server in
      for credential in [
        Credential.password(username: "jdoe", password: "wrong"),
        .password(username: "nobody", password: DoorServer.password),
      ] {
        let error = await failure { try await server.manager(method).signIn(with: credential) }
        #expect(error?.code == .invalidCredentials)
        #expect(error?.disposition == .terminal)
      }
    }
  }

  @Test(
    "Pega-P3: a lock-out for a while is told with its wait; the right password works after it",
    arguments: PegaSignInMethod.allCases)
  func throttled(_ method: PegaSignInMethod) async throws {
    try await DoorServer.run { server in
      let manager = try server.manager(method)
      for _ in 0..<5 {
        let error = await failure {
          try await manager.signIn(with: .password(username: "jdoe", password: "wrong"))
        }
        #expect(error?.code == .invalidCredentials)
      }
      let error = await failure { try await manager.signIn(with: .jane) }
      #expect(error?.code == .accountLocked)
      let wait = try #require(error?.retryAfter)
      #expect(wait > .zero && wait <= .seconds(30))
      server.clock.advance(by: wait)
      #expect(try await manager.signIn(with: .jane).user.id == "jdoe")
    }
  }

  @Test("Pega-P3: a locked account is told where the door tells, by every method", arguments: PegaSignInMethod.allCases)
  func locked(_ method: PegaSignInMethod) async throws {
    for tells in [true, false] {
      try await DoorServer.run({ $0.pega?.tellsLockedAccounts = tells }) { server in
        try await server.application.identity.disableUser(named: "jdoe")
        let error = await failure { try await server.manager(method).signIn(with: .jane) }
        #expect(error?.code == (tells ? .accountLocked : .invalidCredentials))
        #expect(error?.disposition == .terminal)
      }
    }
  }

  @Test(
    "Pega-P4: a client that is too old or too new has no session at the server either",
    arguments: PegaSignInMethod.allCases)
  func versions(_ method: PegaSignInMethod) async throws {
    for version in ["6.9", "8.100", "9"] {
      try await DoorServer.run { server in
        var configuration = PegaConfiguration()
        configuration.containerVersion = version
        let manager = SessionManager(
          authenticator: try server.authenticator(method, configuration: configuration), transport: PlatformTransport())
        #expect(await failure { try await manager.signIn(with: .jane) }?.code == .unsupportedClientVersion)
        #expect(manager.current == nil)
        #expect(try await server.application.dropSessions(ofUserNamed: "jdoe") == 0)
      }
    }
  }

  @Test(
    "Pega-P10: every spelling of the address works",
    arguments: [
      "", "/", "/PRServlet", "/PRServlet/", "/PRServlet?x=y", "/PRServletCustom", "/PRAuth/SSO", "/app/uplus",
    ])
  func spellings(_ suffix: String) async throws {
    try await DoorServer.run { server in
      let url = try #require(URL(string: server.url.absoluteString + suffix))
      for method in PegaSignInMethod.allCases {
        let manager = SessionManager(
          authenticator: try PegaAuthenticator(server: url, method: method), transport: PlatformTransport())
        #expect(try await manager.signIn(with: .jane).user.id == "jdoe")
        #expect(await manager.signOut().isComplete)
      }
    }
  }

  @Test("Pega-P12: a POST of the app's own signs in, and a wrong one is found out")
  func ownRequest() async throws {
    try await DoorServer.run { server in
      func login(_ password: String) throws -> Credential {
        let body = "UserIdentifier=jdoe&Password=\(password)&pyActivity%3DCode-Security.Login="
        return .request(
          try .post(
            server.url.appending(path: "PRServlet"), body: Data(body.utf8),
            contentType: "application/x-www-form-urlencoded"))
      }
      // The door wants the guest's cookie that its page sets, as a browser has it. Without it the page is old, which
      // is no word about the password.
      let error = await failure { try await server.manager().signIn(with: login("wrong")) }
      #expect(error?.code == .unexpectedResponse)
      let guest = try await PlatformTransport().send(server.request("/PRServlet"))
      let cookie = try #require(guest.head.headerFields[values: .setCookie].first { $0.hasPrefix("Pega-RULES=") })
      guard case .request(var request) = try login("a+fine+long+password") else { return }
      request.head.headerFields[.cookie] = String(cookie.prefix { $0 != ";" })
      var wrong = request
      wrong.body = Data("UserIdentifier=jdoe&Password=wrong&pyActivity%3DCode-Security.Login=".utf8)
      let refusal = await failure { try await server.manager().signIn(with: .request(wrong)) }
      #expect(refusal?.code == .invalidCredentials)
      let session = try await server.manager().signIn(with: .request(request))
      #expect(session.user.id == "jdoe")
    }
  }
}
