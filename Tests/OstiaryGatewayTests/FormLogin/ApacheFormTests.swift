import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// A login gateway that we did not write, over real HTTP.
@Suite(
  "Form login with Apache httpd's mod_auth_form", .enabled(if: ApacheServer.isInstalled, "\(ApacheServer.absence)"),
  .timeLimit(.minutes(20)))
struct ApacheFormTests {
  /// A manager for one variant, and what it asked.
  private struct World: Sendable {
    let server: ApacheServer
    let variant: String
    let manager: SessionManager
    let recorder = EventRecorder()
    /// What each question for a password was told of the one before.
    let asked: Locked<[OstiaryError.Code?]>
    /// What the person types, one after the other; the last of them stays.
    let passwords: Locked<[Secret]>

    init(_ server: ApacheServer, _ variant: String, _ passwords: [Secret] = [ApacheServer.password]) throws {
      self.server = server
      self.variant = variant
      let asked = Locked<[OstiaryError.Code?]>([])
      let typed = Locked(passwords)
      self.asked = asked
      self.passwords = typed
      var login = try FormLogin("Apache", at: server.url)
      login.allowingInsecureHTTPForPasswords = true
      // Its redirect doesn't say what was asked for, so the app names where it leads.
      if variant == "redirect" { login.loginPage = server.url.appending(path: "login.html") }
      var authenticator = try GatewayAuthenticator(server: server.url(of: variant), handlers: [login])
      if variant == "redirect" { authenticator.logout = .visit(server.url.appending(path: "logout")) }
      var configuration = SessionConfiguration()
      configuration.retry = RetryPolicy(attempts: 1, base: .zero)
      manager = SessionManager(
        authenticator: authenticator, transport: PlatformTransport(),
        credentials: .onRequest { request in
          let count = asked.withLock { asked in
            asked.append(request.previousError?.code)
            return asked.count
          }
          guard count <= 4 else { throw OstiaryError(.interactionCancelled, "Enough.") }
          let password = typed.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
          return .password(username: ApacheServer.user, password: password ?? "")
        }, configuration: configuration)
      manager.onEvent { [recorder] in recorder.record($0) }
    }

    func send(_ method: HTTPRequest.Method = .get, _ query: String = "") async throws -> TransportResponse {
      var head = try HTTPRequest(method, to: server.url(of: variant, query))
      head.headerFields[.accept] = "application/json"
      let transport = AuthenticatedTransport(manager)
      do {
        return try await transport.send(TransportRequest(head))
      } catch let error as OstiaryError where error.code == .connectionLost && method == .get {
        // httpd closes a connection now and then just as a request goes out on it (RFC 9112 §9.3.1). An app does what the error says.
        return try await transport.send(TransportRequest(head))
      }
    }

    /// How many forms Apache was sent, as soon as there are `expected`.
    func forms(_ expected: Int) async throws -> Int {
      let target =
        ["redirect": "/dologin", "unauthorized": "/dologin-unauthorized"][variant] ?? "/inline/secret.json"
      return try await server.log(of: expected) { $0.hasPrefix("POST \(target) ") }.count
    }

    var questions: [OstiaryError.Code?] { asked.withLock { $0 } }
  }

  @Test("Gateway-G1: one login answers the challenge, and lasts", arguments: ApacheServer.formVariants)
  func signsIn(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant)
      for query in ["", "?a=1&b=%20", ""] {
        let response = try await world.send(.get, query)
        #expect(response.status == .ok)
        #expect(response.text == ApacheServer.secret(variant))
      }
      let stream = try await AuthenticatedTransport(world.manager).stream(.get(server.url(of: variant)))
      #expect(try await stream.body.collect(upTo: 1_000) == Data(ApacheServer.secret(variant).utf8))
      #expect(world.questions == [nil])
      #expect(try await world.forms(1) == 1)
      #expect(world.recorder.events.map(\.kind) == [.signedIn])
      #expect(world.manager.current?.user.id == ApacheServer.user)
      #expect(await world.manager.verify().isSignedIn)
    }
  }

  @Test(
    "Gateway-G8: a wrong password is told to the person, who may type another", arguments: ApacheServer.formVariants)
  func wrongPassword(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant, ["battery staple", ApacheServer.password])
      #expect(try await world.send().text == ApacheServer.secret(variant))
      #expect(world.questions == [nil, .invalidCredentials])
      #expect(try await world.forms(2) == 2)
    }
  }

  @Test("A wrong password is the server's definite word", arguments: ApacheServer.formVariants)
  func refused(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant)
      let wrong = Credential.password(username: ApacheServer.user, password: "correct  horse")
      let error = await failure { try await world.manager.signIn(with: wrong) }
      #expect(error?.code == .invalidCredentials)
      #expect(error?.disposition == .terminal)
      #expect(try await world.forms(1) == 1)
    }
  }

  @Test("A session that is over is one new login", arguments: ApacheServer.formVariants)
  func over(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant)
      _ = try await world.send()
      world.passwords.withLock { $0 = ["another + one %&=é"] }
      try server.changePassword(to: "another + one %&=é")
      for _ in 0..<2 { #expect(try await world.send().text == ApacheServer.secret(variant)) }
      #expect(world.questions == [nil, nil])
      #expect(try await world.forms(2) == 2)
      #expect(world.recorder.events.map(\.kind) == [.signedIn, .rejected, .signedIn])
    }
  }

  @Test(
    "Gateway-G11: a POST that met the challenge was not executed, and is sent again",
    arguments: ["redirect", "unauthorized"])
  func post(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant)
      #expect(try await world.send(.post).text == ApacheServer.secret(variant))
      let challenged = variant == "redirect" ? 302 : 401
      let posts = try await server.log(of: 2) { $0.hasPrefix("POST /\(variant)/") }
      #expect(posts == ["POST /\(variant)/secret.json \(challenged)", "POST /\(variant)/secret.json 200"])
    }
  }

  @Test("Gateway-G13: signing out visits the logout page, and the next request is challenged")
  func logout() async throws {
    try await ApacheServer.run { server in
      let world = try World(server, "redirect")
      _ = try await world.send()
      let report = await world.manager.signOut()
      #expect(report.isComplete)
      #expect(try await server.log(of: 1) { $0.hasPrefix("GET /logout ") } == ["GET /logout 307"])
      #expect(try await world.send().text == ApacheServer.secret("redirect"))
      #expect(try await world.forms(2) == 2)
    }
  }

  @Test(
    "Gateway-G2: hundreds at once, the session ending in their midst: one form each time, all answered",
    arguments: ApacheServer.formVariants)
  func hundreds(_ variant: String) async throws {
    try await ApacheServer.run { server in
      let world = try World(server, variant)
      let done = Locked(0)
      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            var isRight = true
            for part in ["a", "b"] {
              let response = try await world.send(.get, "?\(number)\(part)")
              isRight = isRight && response.text == ApacheServer.secret(variant)
              let count = done.withLock { done in
                done += 1
                return done
              }
              // At least half of the requests are still to be sent.
              if count == 100 {
                world.passwords.withLock { $0 = ["second"] }
                try server.changePassword(to: "second")
              }
            }
            return isRight
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(right == 200)
      #expect(world.questions == [nil, nil])
      #expect(try await world.forms(2) == 2)
    }
  }
}
