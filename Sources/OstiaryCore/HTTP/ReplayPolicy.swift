internal import HTTPTypes

/// When a request may be sent a second time (RFC 9110 §9.2.2).
public enum ReplayPolicy: Hashable, Sendable {
  /// When the method is idempotent, or the server is known not to have executed the request.
  case ifSafe
  /// Always: the app knows that repeating is harmless.
  case always
  /// Never.
  case never

  /// Whether a request with this method may be sent again.
  /// - Parameter mayHaveExecuted: whether the server can have acted on it.
  func allows(_ method: HTTPRequest.Method, mayHaveExecuted: Bool) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .ifSafe: !mayHaveExecuted || method.isIdempotent
    }
  }
}
