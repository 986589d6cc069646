import Foundation
import HTTPTypes
import OstiaryCore

extension AccountRoutes {
  private static let tokenPrefix = "ost_as_"

  // MARK: Who it is

  private func token(_ request: DoorRequest) -> Secret? {
    guard let (scheme, rest) = request.headers[.authorization]?.byteHalves(at: " "), scheme.lowercasedASCII == "bearer"
    else { return nil }
    let text = rest.trimmingBlanks
    guard text.hasBytePrefix(Self.tokenPrefix) else { return nil }
    let proof = String(text.droppingBytes(Self.tokenPrefix.utf8.count))
    return proof.utf8.count == 43 ? Secret(proof) : nil
  }

  /// The id of the session that a token proves: a token is never valid as a cookie of the pages.
  private static func sessionID(ofToken token: Secret) -> Secret {
    PageCookies.sessionID(of: token, for: "ostiary.account.json.")
  }

  private func session(_ request: DoorRequest) async throws(ServerError) -> (session: ServerSession, token: Secret)? {
    guard let token = token(request),
      let session = try await room.sessions.find(Self.sessionID(ofToken: token)), !session.isGuest
    else { return nil }
    return (session, token)
  }

  private func client(_ request: DoorRequest, _ user: User?) -> FlowClient {
    FlowClient(
      browser: nil, user: user, address: request.clientAddress, requestID: request.id,
      languages: request.languages, device: KnownDevice(request),
      sessions: FlowSessions(sessions: room.sessions) { Self.sessionID(ofToken: $0) })
  }

  // MARK: Flows

  /// A flow for a program: a new one, or the one that the query names.
  func showJSON(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return try problem(.flowDisabled, .notFound, request) }
    let user = try await session(request)?.session.user
    if kind == .profile, user == nil { return try challenge(request) }
    let client = client(request, user)
    guard let text = request.query.first("flow") else {
      return try .json(try flows.begin(kind, for: client, returnTo: request.query.first("return_to")).json())
    }
    return try response(try await flows.current(kind, text, for: client), request)
  }

  /// Handles a program's submission.
  func submitJSON(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return try problem(.flowDisabled, .notFound, request) }
    guard !(try await room.isForged(request)) else { return try problem(.requestForged, .forbidden, request) }
    // Another site's page can send every other media type without a preflight request (OWASP ASVS 5.0 §3.5.2).
    guard request.mediaType == "application/json" else {
      return try problem(.requestType, .unsupportedMediaType, request)
    }
    guard let submission = FlowSubmission(json: request.body) else {
      return try problem(.requestMalformed, .badRequest, request)
    }
    let session = try await session(request)
    let client = client(request, session?.session.user)
    let outcome: FlowOutcome
    if kind == .profile, session == nil {
      // A new password has ended the session that it was sent with.
      guard let repeated = try await flows.repeated(submission, to: kind, for: client) else {
        return try challenge(request)
      }
      outcome = repeated
    } else {
      outcome = try await flows.submit(submission, to: kind, for: client)
    }
    if outcome.problem == .sessionRequired { return try challenge(request) }
    guard let begun = outcome.session else { return try response(outcome, request) }
    if let old = session?.token, old != begun.proof {
      try await room.sessions.end(Self.sessionID(ofToken: old), .signedInAgain)
    }
    return try .json(
      outcome.document.json(session: [
        "token": .string(Self.tokenPrefix + begun.proof.reveal()), "token_type": "Bearer",
        "expires_at": .string(FlowTime.text(begun.endsAt)), "user": Self.json(of: begun.user),
      ]))
  }

  private func response(_ outcome: FlowOutcome, _ request: DoorRequest) throws -> DoorResponse {
    guard let code = outcome.problem else { return try .json(outcome.document.json(), status: outcome.status) }
    let response = try problem(code, outcome.status, request, document: outcome.document)
    return outcome.retryAfter.map { response.retrying(after: $0) } ?? response
  }

  /// A problem (RFC 9457), with the flow to continue with, if there is one.
  private func problem(
    _ code: FlowIssue.Code, _ status: HTTPResponse.Status, _ request: DoorRequest, document: FlowDocument? = nil
  ) throws -> DoorResponse {
    let texts = document.map { AccountTexts($0.language) } ?? AccountTexts(request)
    // The document has the issue with its number.
    let issue = document?.allIssues.first { $0.code == code } ?? FlowIssue(code)
    var members: [String: JSONValue] = [
      "type": "about:blank", "status": .integer(Int64(status.code)), "code": .string(code.rawValue),
      "title": .string(issue.text(in: texts)),
    ]
    if let document { members["document"] = document.json() }
    var response = try DoorResponse.json(.object(members), status: status)
    response.headers[.contentType] = "application/problem+json"
    return response
  }

  /// Challenges the client with the document of the sign-in flow.
  private func challenge(_ request: DoorRequest) throws -> DoorResponse {
    let document = try flows.begin(.login, for: client(request, nil))
    var response = try problem(.sessionRequired, .unauthorized, request, document: document)
    response.headers[.wwwAuthenticate] = "Bearer realm=\"account\""
    return response
  }

  // MARK: The session

  private static func json(of user: User) -> JSONValue {
    .object([
      "id": .string(user.id), "name": .string(user.name), "display_name": .string(user.displayName),
      "email": user.email.map { .string($0) } ?? .null,
    ])
  }

  /// The user of a token's session.
  func whoAmI(_ request: DoorRequest) async throws -> DoorResponse {
    guard let (session, _) = try await session(request), let user = session.user else { return try challenge(request) }
    return try .json(
      .object(["user": Self.json(of: user), "expires_at": .string(FlowTime.text(session.endsAt))]))
  }

  /// Ends the session of a token; ending it again is no error.
  func endSession(_ request: DoorRequest) async throws -> DoorResponse {
    guard !(try await room.isForged(request)) else { return try problem(.requestForged, .forbidden, request) }
    if let token = token(request) { try await room.sessions.end(Self.sessionID(ofToken: token)) }
    return DoorResponse(status: .noContent)
  }
}
