import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A server whose session is the cookie `sid`, which `/renew` changes, with managers that share a store.
struct CookieWorld: Sendable {
  /// Signs in at `/sign-in`, renews at `/renew`, ends at `/sign-out`.
  struct Client: Authenticator {
    let kind = AuthenticatorKind("cookie")
    let server = ScriptedAuthenticator.defaultServer
    var origins: [String] = []
    var lifetime: TimeInterval?

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      guard case .password(let name, _) = credential else {
        throw OstiaryError(.unsupportedCredential, "Only passwords.")
      }
      return try await grant("sign-in", user: name, jar: CookieJar(), in: context)
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      .renewed(try await grant("renew", user: session.user.id, jar: session.proof.cookies, in: context))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      _ = try await context.transport.send(
        .post(server.appending(path: "sign-out"), body: Data(), contentType: "text/plain"))
    }
    func attachment(for session: Session) -> ProofAttachment {
      let all = ["https://scripted.example"] + origins
      return ProofAttachment(
        origins: all.compactMap { URL(string: $0).flatMap { Origin($0) } }, cookies: session.proof.cookies)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      response.status == .unauthorized ? .rejected(reason: "401", mayHaveExecuted: false) : .accepted
    }
    func isProof(cookieNamed name: String) -> Bool { name == "sid" }

    private func grant(
      _ path: String, user: String, jar: CookieJar, in context: AuthenticationContext
    ) async throws -> SessionGrant {
      var jar = jar
      let request = try TransportRequest.post(
        server.appending(path: path), body: Data(user.utf8), contentType: "text/plain")
      let response = try await context.transport.send(request)
      guard response.status == .ok else {
        throw OstiaryError(.interactionRequired, "The session is over.", request: request.head)
      }
      jar.storeAll(from: response.head, to: request.head, now: context.clock.now)
      return SessionGrant(
        user: .init(id: user), proof: Proof(cookies: jar),
        expiresAt: lifetime.map { context.clock.now.addingTimeInterval($0) })
    }
  }

  let clock = ManualClock()
  let store: FaultyStore
  let transport: ScriptedTransport
  let recorder = EventRecorder()
  var client = Client()

  init(origins: [String] = [], lifetime: TimeInterval? = nil, checkpoint: Checkpoint? = nil) {
    store = FaultyStore(checkpoint: checkpoint)
    transport = ScriptedTransport(clock: clock, checkpoint: checkpoint)
    client.origins = origins
    client.lifetime = lifetime
    answer(.post, "/sign-in", with: "sid=one; Path=/; Secure; Domain=scripted.example")
    answer(.post, "/renew", with: "sid=renewed; Path=/; Secure; Domain=scripted.example")
    answer(.post, "/sign-out")
    answer(.get, "/things")
  }

  func manager(_ credentials: CredentialSource = .manual, storePatience: Duration = .zero) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    configuration.storePatience = storePatience
    let manager = SessionManager(
      authenticator: client, transport: transport, credentials: credentials, store: store,
      configuration: configuration, clock: clock)
    manager.onEvent { [recorder] in recorder.record($0) }
    return manager
  }

  /// Lets a path answer with these cookies.
  func answer(
    _ method: HTTPRequest.Method = .get, _ path: String, status: HTTPResponse.Status = .ok, to location: String? = nil,
    with cookies: String...
  ) {
    var fields = HTTPFields()
    fields[values: .setCookie] = cookies
    if let location { fields[.location] = location }
    transport.on(method, path) { [fields] _ in .status(status, headerFields: fields) }
  }

  /// The requests for a path.
  func requests(_ path: String) -> [HTTPRequest] {
    transport.requests.map(\.head).filter { $0.path == path }
  }

  /// The session's cookie, for the server's own host.
  static func cookie(_ name: String, of session: Session?) -> String? {
    session?.proof.cookies.cookies.first { $0.name == name }?.value.reveal()
  }

  /// What a new program on the same store would find.
  func stored() async -> Session? {
    let next = manager()
    _ = await next.restore()
    return next.current
  }
}
