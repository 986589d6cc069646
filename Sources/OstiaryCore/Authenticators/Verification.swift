/// What the server said of a session.
public enum Verification: Sendable {
  /// The session is good. Attributes that the server repeated replace the old ones; `nil` leaves them.
  case valid(attributes: [String: JSONValue]?)
  /// The session is over, and why.
  case invalid(reason: String)
}
