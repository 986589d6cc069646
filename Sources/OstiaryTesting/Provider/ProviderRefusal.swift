internal import HTTPTypes
internal import OstiaryCore

/// A provider's no.
struct ProviderRefusal: Error {
  let code: String
  let words: String
  var status = HTTPResponse.Status.badRequest
  /// Further parameters of the challenge, where the answer has one.
  var parameters: [(name: String, value: String)] = []
  /// The schemes of the challenge.
  var schemes = ["Bearer"]

  init(_ code: String, _ words: String, status: HTTPResponse.Status = .badRequest) {
    self.code = code
    self.words = words
    self.status = status
  }

  /// The refusal of an access token (RFC 6750 §3, RFC 9449 §7.1); without a code, of a request that has none.
  static func ofAccess(
    _ code: String, _ words: String, schemes: [String] = ["Bearer", "DPoP"], _ parameters: [(String, String)] = []
  ) -> ProviderRefusal {
    var refusal = ProviderRefusal(code, words, status: .unauthorized)
    refusal.schemes = schemes
    refusal.parameters = parameters.map { (name: $0.0, value: $0.1) }
    return refusal
  }

  func answer(_ state: ProviderState, _ endpoint: ProviderEndpoint) -> TransportResponse {
    if endpoint == .resource || endpoint == .userInfo { return challenge }
    if state.isWrong(.emptyRefusals400, endpoint) { return .status(.badRequest) }
    if state.isWrong(.ownErrorNames403, endpoint) {
      return .json(["error": .string("provider_" + code), "reason": "E-4711"], status: .forbidden)
    }
    var fields = HTTPFields()
    if code == "invalid_client" { fields[.wwwAuthenticate] = "Basic realm=\"provider\"" }
    return .json(
      ["error": .string(code), "error_description": .string(words)], status: status, headerFields: fields)
  }

  private var challenge: TransportResponse {
    var fields = HTTPFields()
    for scheme in schemes {
      var pairs = code.isEmpty ? [] : [(name: "error", value: code), (name: "error_description", value: words)]
      pairs += parameters
      if scheme == "DPoP" { pairs.append((name: "algs", value: "ES256")) }
      let text = pairs.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", ")
      fields.append(HTTPField(name: .wwwAuthenticate, value: text.isEmpty ? scheme : "\(scheme) \(text)"))
    }
    return .json(["error": .string(code)], status: status, headerFields: fields)
  }
}
