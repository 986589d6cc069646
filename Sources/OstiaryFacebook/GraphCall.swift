internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One call of the Graph API.
struct GraphCall: Sendable {
  let configuration: FacebookConfiguration
  let path: String
  var parameters: [(name: String, value: String)] = []
  /// In whose name: a field of the request, as queries end up in logs.
  let bearer: Secret
  /// Whether the token is a user's, which the app's secret can prove to have come from the app.
  var isUsers = true

  /// The largest answer that is read: 1 MiB.
  private static let answerSize = 1 << 20

  func request() throws -> TransportRequest {
    var parameters = parameters
    if isUsers, let secret = configuration.appSecret {
      parameters.append(("appsecret_proof", Self.proof(of: bearer, with: secret)))
    }
    let query = parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    let base = configuration.graph.appending(path: "\(configuration.version)/\(path)").absoluteString
    guard let url = URL(string: query.isEmpty ? base : base + "?" + query.joined(separator: "&")) else {
      throw OstiaryError(.invalidRequest, "The Graph API's address makes no URL.", requestMayHaveExecuted: false)
    }
    var request = try TransportRequest.get(url)
    request.head.headerFields[.authorization] = "Bearer " + bearer.reveal()
    request.head.headerFields[.accept] = "application/json"
    request.timeout = configuration.timeout
    request.responseBodyLimit = Self.answerSize
    return request
  }

  /// The members of a successful answer.
  /// - Throws: ``OstiaryError``.
  func send(in context: AuthenticationContext) async throws -> JSONValue {
    let request = try request()
    let response = try await context.transport.send(request)
    let answer = JSONValue(json: response.body)
    if let refusal = GraphRefusal(answer) { throw refusal.error(request.head) }
    let status = response.status.code
    if let error = OstiaryError(
      unavailable: response.head, to: request.head, now: context.clock.now, "Facebook")
    {
      throw error
    }
    guard (200..<300).contains(status), let answer, answer.object != nil else {
      throw OstiaryError(
        .unexpectedResponse, "The answer (\(status)) is not one of the Graph API's.", request: request.head)
    }
    return answer
  }

  /// `appsecret_proof`: the token's HMAC-SHA256 with the app's secret, in hexadecimal digits (Graph API, "Securing requests").
  static func proof(of token: Secret, with secret: Secret) -> String {
    let key = SymmetricKey(data: Data(secret.reveal().utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Data(token.reveal().utf8), using: key)
    return code.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension JSONValue {
  /// A string that is not empty, or a whole number as text: the Graph API writes identifiers both ways.
  var graphIdentifier: String? {
    if case .integer(let number) = self { return String(number) }
    return string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
