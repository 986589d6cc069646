/// A scheme of the `Authorization` field that ``HTTPAuthentication`` speaks, the weakest first.
public enum HTTPAuthenticationScheme: String, Sendable, Hashable, CaseIterable {
  /// User name and password, readable in the request (RFC 7617).
  case basic
  /// A hash of user name, password and the request (RFC 7616).
  case digest
  /// A token (RFC 6750), which the app brings.
  case bearer

  /// As it is written in the field.
  var name: String {
    switch self {
    case .basic: "Basic"
    case .digest: "Digest"
    case .bearer: "Bearer"
    }
  }

  var whatIsShown: String { self == .bearer ? "the token" : "the user name or password" }
}
