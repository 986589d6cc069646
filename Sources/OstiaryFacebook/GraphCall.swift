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
  /// Whose token it is. A user's can be proved to have come from the app, with the app's secret.
  var caller = GraphRefusal.Caller.user

  /// The largest answer that is read: 1 MiB.
  private static let answerSize = 1 << 20

  func request() throws -> TransportRequest {
    var parameters = parameters
    if caller == .user, let secret = configuration.appSecret {
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
    let refusal = GraphRefusal(answer)
    // A server that fails has no word on a token, not even in its body (RFC 9110 §15.6).
    if let error = OstiaryError(
      unavailable: response.head, to: request.head, now: context.clock.now, "Facebook", underlying: refusal)
    {
      throw error
    }
    let status = response.status.code
    if let refusal, (400..<500).contains(status) { throw refusal.error(request.head, to: caller) }
    guard (200..<300).contains(status), refusal == nil, let answer, answer.object != nil else {
      throw Self.unexpected("The answer (\(status)) is not one of the Graph API's.", request.head)
    }
    return answer
  }

  /// An answer that says nothing of a token.
  static func unexpected(_ message: String, _ request: HTTPRequest? = nil) -> OstiaryError {
    OstiaryError(.unexpectedResponse, message, request: request)
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
  /// A string that is not blank, or a whole number as text: the Graph API writes identifiers both ways.
  var graphIdentifier: String? {
    if case .integer(let number) = self { return String(number) }
    return string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }
}
