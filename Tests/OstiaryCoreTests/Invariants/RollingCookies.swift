import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A kind of server whose proof is the cookie `sid` and a renewal token, both new with every renewal.
struct RollingAuthenticator: Authenticator {
  let kind = AuthenticatorKind("rolling")
  let server = ScriptedAuthenticator.defaultServer

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    guard case .password(_, let password) = credential else {
      throw OstiaryError(.unsupportedCredential, "The server takes passwords.")
    }
    return try await exchange("sign-in", body: Data(password.reveal().utf8), cookies: CookieJar(), in: context)
  }

  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    let token = session.proof.tokens["renewal"]?.reveal() ?? ""
    return .renewed(
      try await exchange("renew", body: Data(token.utf8), cookies: session.proof.cookies, in: context))
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    .valid(attributes: nil)
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {
    _ = try await context.transport.send(.post(server.appending(path: "sign-out"), body: Data(), contentType: "x/y"))
  }

  func attachment(for session: Session) -> ProofAttachment {
    ProofAttachment(origins: [Origin(server)].compactMap { $0 }, cookies: session.proof.cookies)
  }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    response.status == .unauthorized ? .rejected(reason: "401", mayHaveExecuted: false) : .accepted
  }

  func isProof(cookieNamed name: String) -> Bool { name == "sid" }

  private func exchange(
    _ path: String, body: Data, cookies: CookieJar, in context: AuthenticationContext
  ) async throws -> SessionGrant {
    let request = try TransportRequest.post(server.appending(path: path), body: body, contentType: "text/plain")
    let response = try await context.transport.send(request)
    guard response.status == .ok else {
      throw OstiaryError(.interactionRequired, "The session is over.", request: request.head)
    }
    var cookies = cookies
    cookies.storeAll(from: response.head, to: request.head, now: context.clock.now)
    return SessionGrant(
      user: .init(id: "ann"), proof: Proof(cookies: cookies, tokens: ["renewal": Secret(response.text)]))
  }
}

/// The server for it: it knows one session, whose cookie and renewal token count up together.
final class RollingServer: Sendable {
  private struct State: Sendable {
    var generation = 0
    var accepted = 0
    var refusedRenewals = 0
  }

  private let state = Locked(State())
  private let prefix: String

  /// - Parameter prefix: what cookies and tokens begin with.
  init(prefix: String = "") {
    self.prefix = prefix
  }

  /// Renewals with a token that was not the newest.
  var refusedRenewals: Int { state.withLock { $0.refusedRenewals } }

  /// Makes the cookie invalid; the renewal token stays good.
  func expire() {
    state.withLock { $0.accepted = -1 }
  }

  func respond(to request: TransportRequest) -> TransportResponse {
    state.withLock { state in
      switch request.head.path {
      case "/sign-in":
        return issue(&state)
      case "/renew":
        guard request.body == Data(token(state.generation).utf8) else {
          state.refusedRenewals += 1
          return .status(.badRequest)
        }
        return issue(&state)
      case "/sign-out":
        state.accepted = -1
        return .status(.noContent)
      case "/tag":
        // Answers every client, and marks the browser besides.
        return .status(.ok, headerFields: [.setCookie: "tag=1; Path=/"])
      default:
        let sent = request.head.headerFields[.cookie] ?? ""
        let isGood = sent.split(separator: "; ").contains { $0 == "sid=\(prefix)cookie-\(state.accepted)" }
        return isGood ? .status(.ok) : .status(.unauthorized)
      }
    }
  }

  private func token(_ generation: Int) -> String { "\(prefix)token-\(generation)" }

  private func issue(_ state: inout State) -> TransportResponse {
    state.generation += 1
    state.accepted = state.generation
    let cookie = "sid=\(prefix)cookie-\(state.generation); Path=/; Secure; HttpOnly"
    return TransportResponse(
      HTTPResponse(status: .ok, headerFields: [.setCookie: cookie]), body: Data(token(state.generation).utf8))
  }
}
