internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One form that a client sends to one of the server's endpoints, and what comes back.
struct OAuthCall: Sendable {
  let client: OAuthClient
  let endpoint: URL
  let purpose: OAuthPurpose
  /// Whether the form names the client also where its authentication does not (RFC 9126 §2.1).
  var namesClient = false
  var parameters: OAuthParameters
  /// What must not come back in the server's words.
  var secrets: [Secret]
  var timeout: Duration
  /// Whether it goes with a proof, where the client has a key: what asks for tokens does.
  var provesKey: Bool

  init(
    _ client: OAuthClient, to endpoint: URL, for purpose: OAuthPurpose, _ parameters: OAuthParameters,
    secrets: [Secret], timeout: Duration? = nil
  ) {
    self.client = client
    self.endpoint = endpoint
    self.purpose = purpose
    self.parameters = parameters
    self.secrets = secrets
    self.timeout = timeout ?? client.timeout
    provesKey = purpose != .service
  }

  /// The largest answer that is read: 1 MiB.
  private static let answerSize = 1 << 20

  /// The request with the client's authentication, which is made for this one sending. What it shows must not come back in the server's
  /// words from then on.
  /// - Parameter now: the time by the server's clock, as far as it is known.
  mutating func request(at now: Date) async throws -> TransportRequest {
    try client.requireLocation()
    var asked = ClientRequest(
      clientID: client.id, endpoint: endpoint, issuer: client.endpoints.issuer, now: now, parameters: parameters)
    try await client.authentication.authenticate(&asked)
    if namesClient, asked.parameters["client_id"] == nil { asked.add("client_id", client.id, isSecret: false) }
    secrets += asked.secrets
    var request = try TransportRequest.post(
      endpoint, body: Data(asked.parameters.formEncoded.utf8), contentType: FormEncoding.mediaType)
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = asked.authorization?.reveal()
    request.timeout = timeout
    request.responseBodyLimit = Self.answerSize
    return request
  }

  /// Sends the form.
  /// - Returns: the members of a successful answer; empty when it had no body.
  /// - Throws: ``OstiaryError``.
  func send(in context: AuthenticationContext) async throws -> OAuthAnswer {
    var call = self
    let answered = try await client.exchange(at: Origin(endpoint), provesKey: provesKey, in: context) { now in
      try await call.request(at: now)
    }
    return try call.read(answered)
  }

  /// What the answer to a request says.
  func read(_ answered: AnsweredRequest) throws -> OAuthAnswer {
    try read(answered.response, to: answered.request, sentAt: answered.sentAt, now: answered.now)
  }

  /// What a response says.
  func read(
    _ response: TransportResponse, to request: TransportRequest, sentAt: Date, now: Date
  ) throws -> OAuthAnswer {
    let members = OAuthAnswer.members(of: response)
    let status = response.status.code
    // An overloaded or failing server's body is not its word on anything (RFC 9110 §15.6).
    if let error = OstiaryError(
      unavailable: response.head, to: request.head, now: now, "The authorization server",
      underlying: members.flatMap { refusal(in: $0, status) })
    {
      throw error
    }
    // A proxy that wants to be convinced speaks for itself (RFC 9110 §15.5.8).
    if (200..<300).contains(status) || ((400..<500).contains(status) && status != 407), let members,
      members["access_token"] == nil, let refusal = refusal(in: members, status)
    {
      throw refusal.error(client.terminalRefusals, for: purpose, request: request.head)
    }
    guard (200..<300).contains(status) else {
      if purpose == .refresh, [400, 401].contains(status) { throw unclearRefusal(status, request.head) }
      throw OstiaryError(
        .unexpectedResponse, "The authorization server's answer (\(status)) is not one that OAuth knows.",
        request: request.head)
    }
    return OAuthAnswer(
      members: members, isEmpty: response.body.isEmpty, sentAt: sentAt,
      clockSkew: response.head.clockSkew(at: now) ?? 0, request: request.head,
      // A page is not the server's: one in between has answered in its place.
      isToRenewal: purpose == .refresh && response.mediaType != "text/html")
  }

  /// A refusal (RFC 6749 §5.2) whose body does not say what was refused.
  private func unclearRefusal(_ status: Int, _ request: HTTPRequest) -> OstiaryError {
    let message = "The authorization server refused the refresh token (\(status)) without a reason that can be read."
    guard client.takesUnclearRefusalsForRefusals else {
      return OstiaryError(
        .unclearRefusal, message, disposition: .transient(retryAfter: nil), request: request,
        requestMayHaveExecuted: true)
    }
    return OstiaryError(.grantRefused, message, advice: "Sign in again.", disposition: .terminal, request: request)
  }

  private func refusal(in members: [String: JSONValue], _ status: Int) -> OAuthRefusal? {
    guard let code = members["error"]?.string, !code.isEmpty else { return nil }
    var refusal = OAuthRefusal(
      code: .init(code), explanation: members["error_description"]?.string, status: status,
      hiding: secrets + [client.authentication.secret].compactMap { $0 })
    refusal.suberror = members["suberror"]?.string.map { ServerWords.shown($0, hiding: secrets, limit: 64) }
    return refusal
  }
}
