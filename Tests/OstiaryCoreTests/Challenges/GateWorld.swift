import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A gate in memory in front of one server: a client without a good cookie `gate` gets a challenge in place of an answer.
struct GateWorld: Sendable {
  /// Signs in with a handler of the test's own.
  struct Client: Authenticator {
    let kind = AuthenticatorKind("gate")
    let server = ScriptedAuthenticator.defaultServer
    var proofNeed = ProofNeed.whenChallenged
    var executes = false
    /// Answers a challenge; the session's cookie is `/let-in`'s.
    var handler: @Sendable (Credential, AuthenticationContext) async throws -> Void = { _, _ in }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await handler(credential, context)
      var jar = context.previous?.proof.cookies ?? CookieJar()
      let request = try TransportRequest.post(
        server.appending(path: "let-in"), body: Data(), contentType: "text/plain")
      let response = try await context.exchange(request, jar: &jar)
      guard response.status == .ok else {
        throw OstiaryError(.invalidCredentials, "The gate stays closed.", request: request.head)
      }
      return SessionGrant(user: .init(id: "ann"), proof: Proof(cookies: jar))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      _ = try await context.transport.send(
        .post(server.appending(path: "leave"), body: Data(), contentType: "text/plain"))
    }
    func attachment(for session: Session) -> ProofAttachment {
      ProofAttachment(origins: origins, cookies: session.proof.cookies)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      if response.status == .networkAuthenticationRequired {
        return .obstructed(OstiaryError(.captivePortal, "A portal.", request: request.head))
      }
      guard response.text == "who are you?" else { return .accepted }
      return .rejected(reason: "asked who", mayHaveExecuted: executes)
    }
    func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
      request.head.path == "/blob" ? 0 : 64
    }
  }

  private struct Gate: Sendable {
    var round = 0
    var good: Set<Int> = []
    var isClosed = true
    var executed: [String] = []
  }

  let clock = ManualClock()
  let transport: ScriptedTransport
  let store: any SessionStore
  let recorder = EventRecorder()
  private let gate = Locked(Gate())

  init(store: any SessionStore = EphemeralStore()) {
    self.store = store
    transport = ScriptedTransport(clock: clock) { [gate] request in
      let isIn = gate.withLock { gate in
        let cookie = request.head.headerFields[.cookie] ?? ""
        let isIn =
          !gate.isClosed || gate.good.contains { cookie.contains("gate=\($0);") || cookie.hasSuffix("gate=\($0)") }
        if isIn { gate.executed.append("\(request.head.method.rawValue) \(request.head.path ?? "")") }
        return isIn
      }
      return TransportResponse(HTTPResponse(status: .ok), body: Data((isIn ? "come in" : "who are you?").utf8))
    }
    transport.on(.post, "/let-in") { [gate] _ in
      let round = gate.withLock { gate in
        gate.round += 1
        gate.good.insert(gate.round)
        return gate.round
      }
      return .status(.ok, headerFields: [.setCookie: "gate=\(round); Path=/; Secure"])
    }
    transport.on(.post, "/leave") { _ in .status(.ok) }
  }

  /// Ends every session at the gate.
  func expire() { gate.withLock { $0.good = [] } }
  /// Takes the gate out of the way.
  func removeGate() { gate.withLock { $0.isClosed = false } }
  /// What the server behind the gate has executed.
  var executed: [String] { gate.withLock { $0.executed } }
  /// How often a client was let in.
  var signIns: Int { transport.count(.post, "/let-in") }

  func manager(
    _ credentials: CredentialSource = .byHandler, _ client: Client = Client(), over transport: (any Transport)? = nil,
    configure: (inout SessionConfiguration) -> Void = { _ in }
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    configuration.storePatience = .zero
    configure(&configuration)
    let manager = SessionManager(
      authenticator: client, transport: transport ?? self.transport, credentials: credentials, store: store,
      configuration: configuration, clock: clock)
    manager.onEvent { [recorder] in recorder.record($0) }
    return manager
  }
}
