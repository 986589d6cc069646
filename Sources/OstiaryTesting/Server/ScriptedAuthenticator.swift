public import Foundation
import HTTPTypes
public import OstiaryCore

/// Signs in to a ``ScriptedServer``: a complete, small authenticator, for tests and as an example of how to write one.
///
/// Its proof has the tokens `access` and, where the server gives one, `renewal`.
public struct ScriptedAuthenticator: Authenticator {
  public let kind = AuthenticatorKind("scripted")
  public let server: URL
  private let origin: Origin?

  /// Makes an authenticator for the server at `server`.
  public init(server: URL = ScriptedAuthenticator.defaultServer) {
    self.server = server
    origin = Origin(server)
  }

  /// `https://scripted.example`.
  public static var defaultServer: URL {
    URL(string: "https://scripted.example") ?? URL(filePath: "/")
  }

  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    switch credential {
    case .password(let username, let password):
      let body: JSONValue = .object(["username": .string(username), "password": .string(password.reveal())])
      let (response, request) = try await post(body, to: "sign-in", in: context)
      switch response.status.code {
      case 200: return try grant(from: response, to: request, in: context)
      case 401:
        throw OstiaryError(
          .invalidCredentials, "The server does not accept the user name or password.", request: request.head)
      case 423: throw OstiaryError(.accountLocked, "The server has locked the account.", request: request.head)
      default: throw failure(response, to: request)
      }
    case .proof(let proof):
      guard let token = proof.tokens["access"] else {
        throw OstiaryError(.unsupportedCredential, "The proof has no token named access.")
      }
      let (response, request) = try await me(token, in: context)
      switch (response.status.code, json(response)?["user"]?.string) {
      case (200, let user?): return SessionGrant(user: .init(id: user), proof: proof)
      case (401, _):
        throw OstiaryError(.invalidCredentials, "The server does not accept the token.", request: request.head)
      default: throw failure(response, to: request)
      }
    case .request, .byHandler:
      throw OstiaryError(.unsupportedCredential, "The scripted authenticator takes passwords and tokens.")
    }
  }

  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    guard let token = session.proof.tokens["renewal"] else { return .needsCredential }
    let body: JSONValue = .object(["renewal_token": .string(token.reveal())])
    let (response, request) = try await post(body, to: "renew", in: context)
    switch (response.status.code, json(response)?["error"]?.string) {
    case (200, _): return .renewed(try grant(from: response, to: request, in: context))
    case (400, "session_over"):
      // The server's definite word: this session can't be renewed any more.
      throw OstiaryError(.interactionRequired, "The server says that the session is over.", request: request.head)
    default: throw failure(response, to: request)
    }
  }

  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let token = session.proof.tokens["access"] else { return .invalid(reason: "The session has no token.") }
    let (response, request) = try await me(token, in: context)
    switch (response.status.code, json(response)?["user"]?.string) {
    case (200, let user?): return .valid(attributes: ["user": .string(user)])
    case (401, _): return .invalid(reason: "The server does not accept the token.")
    default: throw failure(response, to: request)
    }
  }

  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    guard let token = session.proof.tokens["access"] else { return }
    var head = try HTTPRequest(.post, to: server.appending(path: "sign-out"))
    head.headerFields[.authorization] = "Bearer " + token.reveal()
    let request = TransportRequest(head)
    let response = try await context.transport.send(request)
    // 401: the session is over already, which is what was wanted.
    guard [200, 204, 401].contains(response.status.code) else { throw failure(response, to: request) }
  }

  public func attachment(for session: Session) -> ProofAttachment {
    guard let origin, let token = session.proof.tokens["access"] else { return ProofAttachment() }
    return .bearer(token, origin: origin) ?? ProofAttachment()
  }

  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard response.status == .unauthorized else { return .accepted }
    return .rejected(reason: "the server answered 401", mayHaveExecuted: false)
  }

  // MARK: Talking to the server

  private func post(
    _ body: JSONValue, to path: String, in context: AuthenticationContext
  ) async throws -> (TransportResponse, TransportRequest) {
    let data = try JSONEncoder().encode(body)
    let url = server.appending(path: path)
    let request = try TransportRequest.post(url, body: data, contentType: "application/json")
    return (try await context.transport.send(request), request)
  }

  private func me(
    _ token: Secret, in context: AuthenticationContext
  ) async throws -> (TransportResponse, TransportRequest) {
    var head = try HTTPRequest(.get, to: server.appending(path: "me"))
    head.headerFields[.authorization] = "Bearer " + token.reveal()
    let request = TransportRequest(head)
    return (try await context.transport.send(request), request)
  }

  private func json(_ response: TransportResponse) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: response.body)
  }

  private func grant(
    from response: TransportResponse, to request: TransportRequest, in context: AuthenticationContext
  ) throws -> SessionGrant {
    guard let answer = json(response), let user = answer["user"]?.string, let access = answer["access_token"]?.string
    else { throw OstiaryError(.unexpectedResponse, "The server's answer has no tokens.", request: request.head) }
    let now = context.clock.now
    var tokens = ["access": Secret(access)]
    if let renewal = answer["renewal_token"]?.string { tokens["renewal"] = Secret(renewal) }
    return SessionGrant(
      user: .init(id: user),
      proof: Proof(tokens: tokens),
      expiresAt: answer["expires_in"]?.double.map { now.addingTimeInterval($0) },
      clockSkew: response.head.clockSkew(at: now) ?? 0)
  }

  /// An answer that says nothing definite about the session.
  private func failure(_ response: TransportResponse, to request: TransportRequest) -> OstiaryError {
    let code = response.status.code
    guard code == 429 || code >= 500 else {
      return OstiaryError(
        .unexpectedResponse, "The server answered \(code), which was not expected.", request: request.head)
    }
    let seconds = response.head.headerFields[.retryAfter].flatMap { Int64($0) }
    return OstiaryError(
      .serverUnavailable, "The server answered \(code).",
      disposition: .transient(retryAfter: seconds.map { .seconds($0) }), request: request.head)
  }
}
