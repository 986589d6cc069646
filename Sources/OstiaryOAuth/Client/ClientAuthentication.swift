public import OstiaryCore

/// How a client says that it is itself, to the endpoints that take its requests (RFC 6749 §2.3).
public enum ClientAuthentication: Sendable, Hashable {
  /// By its identifier alone: an app that others can take apart can't keep a secret (`none`, RFC 7591 §2).
  case none
  /// By a secret in an HTTP Basic field, identifier and secret form-encoded first (`client_secret_basic`, RFC 6749
  /// §2.3.1).
  case secretBasic(Secret)
  /// By a secret among the parameters (`client_secret_post`, RFC 6749 §2.3.1).
  case secretPost(Secret)

  var secret: Secret? {
    switch self {
    case .none: nil
    case .secretBasic(let secret), .secretPost(let secret): secret
    }
  }
}
