import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting

/// A server whose sessions have a token for the addresses below `/part` besides their own, with renewal tokens that are good once. Its
/// refusals say nothing but 401.
final class PartWorld: Sendable {
  struct State: Sendable {
    var number = 0
    /// The tokens that are good.
    var main = ""
    var part = ""
    var renewal = ""
    /// How often a renewal token was shown that is not good.
    var wrongRenewals = 0
    /// Whether something else answers requests for `/things`.
    var isPortal = false
  }

  let state = Locked(State())
  let clock = ManualClock()
  let transport: ScriptedTransport
  let store: FaultyStore
  let recorder = EventRecorder()

  init(checkpoint: Checkpoint? = nil) {
    transport = ScriptedTransport(clock: clock, checkpoint: checkpoint)
    store = FaultyStore(checkpoint: checkpoint)
    transport.on(.post, "/sign-in") { [state] _ in
      state.withLock { state in
        state.number += 1
        state.main = "main-\(state.number)"
        return Self.given(&state, state.main)
      }
    }
    transport.on(.post, "/renew") { [state] request in
      state.withLock { state in
        guard Self.takes(request, &state) else { return .json(["error": "session_over"], status: .badRequest) }
        state.main = "main-\(state.number)"
        return Self.given(&state, state.main)
      }
    }
    transport.on(.post, "/renew-part") { [state] request in
      state.withLock { state in
        guard Self.takes(request, &state) else { return .json(["error": "session_over"], status: .badRequest) }
        state.part = "part-\(state.number)"
        return Self.given(&state, state.part)
      }
    }
    transport.on(.get, "/me") { [state] in Self.answer($0, state.withLock { $0.main }) }
    transport.on(.get, "/things") { [state] in
      Self.answer($0, state.withLock { $0.isPortal ? "none" : $0.main })
    }
    transport.on(.get, "/part/list") { [state] in Self.answer($0, state.withLock { $0.part }) }
  }

  private static func takes(_ request: TransportRequest, _ state: inout State) -> Bool {
    guard String(decoding: request.body ?? Data(), as: UTF8.self) == state.renewal else {
      state.wrongRenewals += 1
      return false
    }
    state.number += 1
    return true
  }

  private static func given(_ state: inout State, _ token: String) -> TransportResponse {
    state.renewal = "renewal-\(state.number)"
    return .json(["token": .string(token), "renewal": .string(state.renewal)])
  }

  private static func answer(_ request: TransportRequest, _ token: String) -> TransportResponse {
    request.head.headerFields[.authorization] == "Bearer " + token ? .json(["user": "ann"]) : .status(.unauthorized)
  }

  /// A manager of a session that has its own token alone.
  func signedIn() async throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    configuration.storePatience = .zero
    let manager = SessionManager(
      authenticator: PartClient(), transport: transport, store: store, configuration: configuration, clock: clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [recorder] in recorder.record($0) }
    try await manager.signIn(with: ManagerFixture.ann)
    return manager
  }

  func get(_ manager: SessionManager, _ path: String) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).send(ManagerFixture.request(path)).status
  }

  /// The session's own token is not good any more.
  func endOwnToken() { state.withLock { $0.main = "none" } }

  var wrongRenewals: Int { state.withLock { $0.wrongRenewals } }
}

/// Signs in to a `PartWorld`.
struct PartClient: AuthenticatorWithParts {
  let kind = AuthenticatorKind("parts")
  let server = ScriptedAuthenticator.defaultServer

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    try await grant("sign-in", showing: "", besides: [:], as: "main", in: context)
  }

  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    let tokens = session.proof.tokens
    return .renewed(
      try await grant("renew", showing: tokens["renewal"]?.reveal() ?? "", besides: tokens, as: "main", in: context))
  }

  func renew(_ session: Session, part: String, in context: AuthenticationContext) async throws -> Renewal {
    let tokens = session.proof.tokens
    return .renewed(
      try await grant(
        "renew-part", showing: tokens["renewal"]?.reveal() ?? "", besides: tokens, as: "part", in: context))
  }

  private func grant(
    _ path: String, showing renewal: String, besides tokens: [String: Secret], as name: String,
    in context: AuthenticationContext
  ) async throws -> SessionGrant {
    let request = try TransportRequest.post(
      server.appending(path: path), body: Data(renewal.utf8), contentType: "text/plain")
    let response = try await context.transport.send(request)
    let answer = JSONValue(json: response.body)
    guard let token = answer?["token"]?.string, let renewal = answer?["renewal"]?.string else {
      throw OstiaryError(.interactionRequired, "The server says that the session is over.", request: request.head)
    }
    var tokens = tokens
    tokens[name] = Secret(token)
    tokens["renewal"] = Secret(renewal)
    return SessionGrant(user: .init(id: "ann"), proof: Proof(tokens: tokens))
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    var request = try TransportRequest.get(server.appending(path: "me"))
    request.head.headerFields[.authorization] = "Bearer " + (session.proof.tokens["main"]?.reveal() ?? "")
    let response = try await context.transport.send(request)
    return response.status == .ok ? .valid(attributes: ["asked": true]) : .invalid(reason: "401")
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {}

  func attachment(for session: Session) -> ProofAttachment {
    let origins = [Origin(server)].compactMap { $0 }
    func fields(_ name: String) -> [HTTPField] {
      (session.proof.tokens[name]?.reveal()).map { [HTTPField(name: .authorization, value: "Bearer " + $0)] } ?? []
    }
    return ProofAttachment(
      origins: origins, fields: fields("main"), below: "",
      parts: [
        ProofPart(
          "list", ProofAttachment(origins: origins, fields: fields("part"), below: "/part"),
          proof: session.proof.tokens["part"], of: session.version.lineage)
      ])
  }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    switch response.status {
    case .unauthorized: .doubtful(reason: "401", mayHaveExecuted: false)
    case .forbidden: .rejected(reason: "403", mayHaveExecuted: false)
    default: .accepted
    }
  }

  func isProof(cookieNamed name: String) -> Bool { false }

  func hasPart(for request: HTTPRequest) -> Bool { request.isBelow("/part") }
}
