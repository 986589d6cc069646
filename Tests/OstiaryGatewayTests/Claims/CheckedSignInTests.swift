import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// A sign-in is claimed only after the protected address has answered without a challenge.
@Suite("Claims of a sign-in", .timeLimit(.minutes(20)))
struct CheckedSignInTests {
  /// What the gateway answers to a form, with a right password and with a wrong one.
  enum Answer: String, CaseIterable, Sendable {
    case page, json, empty, original, welcome
  }

  /// Real HTTP: `/` is protected, `/login` has the form, `/welcome` and `/logout` are public.
  private final class Gateway: Sendable {
    let answer: Answer
    /// How often the protected address says that it can't answer, once a form has been sent.
    let failures: Locked<Int>
    /// What happens to the form's answer: its cookie may never come back.
    let givesCookie: Bool
    private let own = Locked<LoopbackServer?>(nil)

    init(_ answer: Answer, failures: Int = 0, givesCookie: Bool = true) throws {
      self.answer = answer
      self.failures = Locked(failures)
      self.givesCookie = givesCookie
      let server = try LoopbackServer { [weak self] request in self?.respond(request) ?? [.reset] }
      own.withLock { $0 = server }
    }

    func stop() { own.withLock { $0.take() }?.stop() }

    var requests: [LoopbackServer.Request] { own.withLock { $0?.requests ?? [] } }
    var posts: Int { requests.count { $0.method == "POST" } }

    func url(_ path: String) throws -> URL { try #require(own.withLock { $0?.url(path) }) }

    private func respond(_ request: LoopbackServer.Request) -> [LoopbackServer.Action] {
      let html = [("Content-Type", "text/html")]
      switch (request.method, request.path) {
      case ("GET", "/login"):
        let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
        return [.response(200, html, body: form)]
      case ("POST", "/login"):
        let isRight = request.text.contains("p=apple")
        let cookie = isRight && givesCookie ? [("Set-Cookie", "s=good; Path=/")] : []
        switch answer {
        case .page: return [.response(200, html + cookie, body: "<p>Thank you.</p>")]
        case .json: return [.response(200, [("Content-Type", "application/json")] + cookie, body: "{}")]
        case .empty: return [.response(204, cookie)]
        case .original: return [.redirect(303, to: "/", cookie)]
        case .welcome: return [.redirect(303, to: "/welcome", cookie)]
        }
      case (_, "/welcome"): return [.response(200, html, body: "<p>Welcome.</p>")]
      case _ where request.fields[.cookie] == "s=good":
        let fails = failures.withLock { count in
          count -= 1
          return count >= 0
        }
        return fails ? [.response(503)] : [.response(200, body: "inside")]
      default:
        return [.redirect(302, to: "/login?return=\(request.path)")]
      }
    }

    func manager(_ credentials: CredentialSource = .manual) throws -> SessionManager {
      var login = try FormLogin("test", at: url("/"))
      login.allowingInsecureHTTPForPasswords = true
      var configuration = SessionConfiguration()
      configuration.retry = RetryPolicy(attempts: 2, base: .zero)
      return SessionManager(
        authenticator: try GatewayAuthenticator(server: try url("/"), handlers: [login]),
        transport: PlatformTransport(), credentials: credentials, configuration: configuration)
    }
  }

  private static func password(_ text: Secret) -> Credential { .password(username: "ann", password: text) }

  @Test("Bug-B01: a wrong password is refused, whatever page the form is answered with", arguments: Answer.allCases)
  func wrongPassword(_ answer: Answer) async throws {
    let gateway = try Gateway(answer)
    defer { gateway.stop() }
    let manager = try gateway.manager()
    let error = await failure { try await manager.signIn(with: Self.password("wrong")) }
    #expect(error?.disposition == .terminal)
    #expect(error?.code == .invalidCredentials, "\(error?.message ?? "none")")
    #expect(manager.current == nil)
    #expect(manager.history.allSatisfy { $0.kind != .signedIn })
    #expect(gateway.posts == 1)
  }

  @Test("Bug-B01: the right password is a sign-in, and the protected address was asked", arguments: Answer.allCases)
  func rightPassword(_ answer: Answer) async throws {
    let gateway = try Gateway(answer)
    defer { gateway.stop() }
    let manager = try gateway.manager()
    #expect(try await manager.signIn(with: Self.password("apple")).user.id == "ann")
    #expect(gateway.posts == 1)
    let asked = gateway.requests.last
    #expect(asked?.method == "GET" && asked?.path == "/" && asked?.fields[.cookie] == "s=good")
  }

  @Test("Bug-B01: a yes of the gateway without a cookie that comes back is no sign-in")
  func noCookie() async throws {
    let gateway = try Gateway(.original, givesCookie: false)
    defer { gateway.stop() }
    let error = await failure { try await gateway.manager().signIn(with: Self.password("apple")) }
    #expect(error?.code == .invalidCredentials)
  }

  @Test("Bug-B01: where the address can't answer, nothing is claimed, and only the question is repeated")
  func unavailable() async throws {
    let gateway = try Gateway(.page, failures: 2)
    defer { gateway.stop() }
    let manager = try gateway.manager()
    #expect(try await manager.signIn(with: Self.password("apple")).user.id == "ann")
    #expect(gateway.posts == 1)

    let down = try Gateway(.page, failures: 100)
    defer { down.stop() }
    let other = try down.manager()
    let error = await failure { try await other.signIn(with: Self.password("apple")) }
    #expect(error?.code == .serverUnavailable)
    #expect(other.current == nil)
    #expect(other.history.allSatisfy { $0.kind != .signedIn })
    // It is back: what the gateway gave is kept, and no second form is sent.
    down.failures.withLock { $0 = 0 }
    #expect(try await other.signIn(with: Self.password("apple")).user.id == "ann")
    #expect(down.posts == 1)
  }

  @Test(
    "Bug-B01: on demand, a wrong password is told to its source, which is asked again", arguments: [Answer.page, .json])
  func onDemand(_ answer: Answer) async throws {
    let gateway = try Gateway(answer)
    defer { gateway.stop() }
    let errors = Locked<[OstiaryError.Code?]>([])
    let manager = try gateway.manager(
      .onRequest { request in
        let count = errors.withLock { errors in
          errors.append(request.previousError?.code)
          return errors.count
        }
        return Self.password(count == 1 ? "wrong" : "apple")
      })
    let response = try await AuthenticatedTransport(manager).send(.get(gateway.url("/thing")))
    #expect(response.text == "inside")
    #expect(errors.withLock { $0 } == [nil, .invalidCredentials])
    #expect(manager.history.map(\.kind) == [.failed, .signedIn])
  }

  @Test("Bug-B01: a large document at the protected address is not read to see whether it is a challenge")
  func largeDocument() async throws {
    // As much of it as any page is read for, and then nothing: what waits for more ends at a time limit.
    let document = LoopbackServer.Action.send(Data(count: 5 << 20))
    let server = try LoopbackServer { request in
      switch (request.method, request.path, request.fields[.cookie]) {
      case ("POST", _, _): [.response(204, [("Set-Cookie", "s=good; Path=/")])]
      case (_, _, "s=good"?):
        [.head(200, [("Content-Type", "application/octet-stream")]), document, .hold]
      default:
        [
          .response(
            200, [("Content-Type", "text/html")],
            body: "<form method=post action=/login><input name=u><input name=p type=password></form>")
        ]
      }
    }
    defer { server.stop() }
    var login = try FormLogin("test", at: server.url())
    login.allowingInsecureHTTPForPasswords = true
    let manager = SessionManager(
      authenticator: try GatewayAuthenticator(server: server.url("/big"), handlers: [login]),
      transport: PlatformTransport())
    #expect(try await manager.signIn(with: Self.password("apple")).user.id == "ann")
  }

  @Test(
    "Bug-B01: HTTP authentication: a 401 that asks for something else than what was shown is no sign-in",
    arguments: ["Negotiate", "Basic realm=\"other\""])
  func anotherScheme(_ second: String) async throws {
    let server = try LoopbackServer { request in
      let asked = request.fields[.authorization] == nil ? "Basic realm=\"r\"" : second
      return [.response(401, [("WWW-Authenticate", asked)])]
    }
    defer { server.stop() }
    let manager = SessionManager(
      authenticator: try HTTPAuthentication(server: server.url()), transport: PlatformTransport())
    let error = await failure { try await manager.signIn(with: Self.password("apple")) }
    #expect(error?.code == .unexpectedResponse)
    #expect(manager.current == nil)
  }
}
