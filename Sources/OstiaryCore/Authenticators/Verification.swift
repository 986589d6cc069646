/// What the server said of a session.
public enum Verification: Sendable {
  /// The session is good. Attributes that the server repeated replace the old ones; `nil` leaves them.
  case valid(attributes: [String: JSONValue]?)
  /// The session is over, and why.
  case invalid(reason: String)
}

extension Verification: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The answer and its reason; not the attributes, which servers fill as they like.
  public var description: String {
    switch self {
    case .valid(let attributes): "valid, \(attributes?.count ?? 0) attributes"
    case .invalid(let reason): "invalid: \(reason)"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["verification": description], displayStyle: .enum) }
}
