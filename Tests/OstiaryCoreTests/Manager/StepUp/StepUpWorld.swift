import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting

/// A server that wants a stronger sign-in for `/secure`, and a user who is asked for one.
final class StepUpWorld: Sendable {
  /// What the user does when asked.
  enum Answer: Sendable, Equatable { case signIn, decline, another, unidentified }

  struct State: Sendable {
    var strong: Set<String> = []
    var questions = 0
    var answer = Answer.signIn
    /// Where a question waits for the user.
    var gate: Gate?
    /// What fails the second step.
    var identification: OstiaryError?
  }

  let state = Locked(State())
  let clock = ManualClock()
  let server: ScriptedServer
  let transport: ScriptedTransport
  let store: any SessionStore
  let recorder = EventRecorder()
  private let checkpoint: Checkpoint?

  init(lifetime: Duration? = nil, store: any SessionStore = EphemeralStore(), checkpoint: Checkpoint? = nil) {
    server = ScriptedServer(clock: clock, lifetime: lifetime)
    transport = server.transport(checkpoint: checkpoint)
    self.store = store
    self.checkpoint = checkpoint
    for method in [HTTPRequest.Method.get, .post] {
      transport.on(method, "/secure") { [state, server] request in
        let answer = server.respond(to: request)
        guard answer.status == .ok, let field = request.head.headerFields[.authorization],
          !state.withLock({ $0.strong.contains(field) })
        else { return answer }
        return .status(.unauthorized, headerFields: [.wwwAuthenticate: "step-up"])
      }
    }
  }

  func manager(
    stepsUp: Bool = true, configure: (inout SessionConfiguration) -> Void = { _ in }
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    configuration.storePatience = .zero
    configure(&configuration)
    let manager = SessionManager(
      authenticator: SteppingAuthenticator(stepsUp: stepsUp, ask: { [self] in try await ask($0) }, state: state),
      transport: transport, store: store, configuration: configuration, clock: clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [recorder] in recorder.record($0) }
    return manager
  }

  /// A manager of Ann's weak sign-in.
  func signedIn(configure: (inout SessionConfiguration) -> Void = { _ in }) async throws -> SessionManager {
    let manager = manager(configure: configure)
    try await manager.signIn(with: ManagerFixture.ann)
    return manager
  }

  private func ask(_ context: AuthenticationContext) async throws -> SessionGrant {
    let (answer, gate) = state.withLock { state in
      state.questions += 1
      return (state.answer, state.gate)
    }
    try await gate?.pass()
    await checkpoint?("the user answers")
    if answer == .decline { throw OstiaryError(.interactionCancelled, "No.", requestMayHaveExecuted: false) }
    let credential = answer == .another ? ManagerFixture.ben : ManagerFixture.ann
    var grant = try await ScriptedAuthenticator().signIn(with: credential, in: context)
    if let token = grant.proof.tokens["access"]?.reveal() {
      state.withLock { _ = $0.strong.insert("Bearer " + token) }
    }
    if answer == .unidentified { grant.needsIdentification = true }
    return grant
  }

  var questions: Int { state.withLock { $0.questions } }

  func get(_ manager: SessionManager, _ path: String = "/secure") async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).send(ManagerFixture.request(path)).status
  }
}

/// The scripted authenticator for a server that may want a stronger sign-in.
struct SteppingAuthenticator: AuthenticatorWithStepUp {
  let stepsUp: Bool
  let ask: @Sendable (AuthenticationContext) async throws -> SessionGrant
  let state: Locked<StepUpWorld.State>
  private let base = ScriptedAuthenticator()

  init(
    stepsUp: Bool, ask: @escaping @Sendable (AuthenticationContext) async throws -> SessionGrant,
    state: Locked<StepUpWorld.State>
  ) {
    self.stepsUp = stepsUp
    self.ask = ask
    self.state = state
  }

  var kind: AuthenticatorKind { base.kind }
  var server: URL { base.server }

  func stepUp(
    _ session: Session, for challenge: Challenge, in context: AuthenticationContext
  ) async throws -> SessionGrant {
    try await ask(context)
  }

  func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    if let error = state.withLock({ $0.identification }) { throw error }
    return grant
  }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    response.head.headerFields[.wwwAuthenticate] == "step-up"
      ? .insufficient(reason: "The server wants more.") : base.judge(response, to: request)
  }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    try await base.signIn(with: credential, in: context)
  }

  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    try await base.renew(session, in: context)
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    try await base.verify(session, in: context)
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {
    try await base.end(session, in: context)
  }

  func attachment(for session: Session) -> ProofAttachment { base.attachment(for: session) }
}
