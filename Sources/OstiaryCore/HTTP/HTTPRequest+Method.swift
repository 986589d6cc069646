internal import HTTPTypes

extension HTTPRequest.Method {
  /// Whether a request asks for nothing to be changed (RFC 9110 §9.2.1).
  var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }

  /// Whether repeating a request has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .put, .delete: true
    default: isSafe
    }
  }
}
