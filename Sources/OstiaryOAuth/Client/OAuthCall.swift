internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One form that a client sends to one of the server's endpoints, and what comes back.
struct OAuthCall: Sendable {
  let client: OAuthClient
  let endpoint: URL
  let purpose: OAuthPurpose
  var parameters: OAuthParameters
  /// What must not come back in the server's words.
  var secrets: [Secret]
  var timeout: Duration

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
  }

  /// The largest answer that is read: 1 MiB.
  private static let answerSize = 1 << 20

  /// The request with the client's authentication.
  func request() throws -> TransportRequest {
    var parameters = parameters
    var authorization: String?
    switch client.authentication {
    case .none:
      parameters.add("client_id", client.id)
    case .secretPost(let secret):
      parameters.add("client_id", client.id)
      parameters.add("client_secret", secret.reveal())
    case .secretBasic(let secret):
      let pair = Self.formEncoded(client.id) + ":" + Self.formEncoded(secret.reveal())
      authorization = "Basic " + Data(pair.utf8).base64EncodedString()
    }
    var request = try TransportRequest.post(
      endpoint, body: Data(parameters.formEncoded.utf8), contentType: FormEncoding.mediaType)
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = authorization
    request.timeout = timeout
    request.responseBodyLimit = Self.answerSize
    return request
  }

  /// Sends the form.
  /// - Returns: the members of a successful answer; empty when it had no body.
  /// - Throws: ``OstiaryError``.
  func send(in context: AuthenticationContext) async throws -> OAuthAnswer {
    let request = try request()
    let sentAt = context.clock.now
    let response = try await context.transport.send(request)
    return try read(response, to: request, sentAt: sentAt, now: context.clock.now)
  }

  /// What a response says.
  func read(
    _ response: TransportResponse, to request: TransportRequest, sentAt: Date, now: Date
  ) throws -> OAuthAnswer {
    let members = OAuthAnswer.members(of: response)
    let status = response.status.code
    // An overloaded or failing server's body is not its word on anything (RFC 9110 §15.6).
    if status >= 500 || [408, 425, 429].contains(status) {
      let skew = response.head.clockSkew(at: now) ?? 0
      let wait = response.head.headerFields[.retryAfter].flatMap {
        RetryAfter.parse($0, now: now.addingTimeInterval(skew))
      }
      throw OstiaryError(
        .serverUnavailable, "The authorization server can't answer now (\(status)).",
        disposition: .transient(retryAfter: wait), request: request.head,
        underlying: members.flatMap { refusal(in: $0, status) })
    }
    if (200..<300).contains(status) || (400..<500).contains(status), let members,
      members["access_token"] == nil, let refusal = refusal(in: members, status)
    {
      throw refusal.error(client.terminalRefusals, for: purpose, request: request.head)
    }
    guard (200..<300).contains(status) else {
      throw OstiaryError(
        .unexpectedResponse, "The authorization server's answer (\(status)) is not one that OAuth knows.",
        request: request.head)
    }
    return OAuthAnswer(
      members: members, isEmpty: response.body.isEmpty, sentAt: sentAt,
      clockSkew: response.head.clockSkew(at: now) ?? 0, request: request.head)
  }

  private func refusal(in members: [String: JSONValue], _ status: Int) -> OAuthRefusal? {
    guard let code = members["error"]?.string, !code.isEmpty else { return nil }
    return OAuthRefusal(
      code: .init(code), explanation: members["error_description"]?.string, status: status
    ).hiding(secrets + [client.authentication.secret].compactMap { $0 })
  }

  /// As RFC 6749 §2.3.1 wants identifiers and secrets before they are joined by a colon.
  private static func formEncoded(_ text: String) -> String {
    String(FormEncoding.serialize([(name: "", value: text)]).dropFirst())
  }
}
