public import OstiaryCore

/// What a server says of a token (RFC 7662 §2.2).
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token is good now.
  public let isActive: Bool
  /// Everything that the server said: `scope`, `sub`, `exp` and others.
  public let members: [String: JSONValue]

  /// Makes an answer.
  public init(isActive: Bool, members: [String: JSONValue]) {
    self.isActive = isActive
    self.members = members
  }

  /// Whose token it is, where the server said so.
  public var subject: String? { members["sub"]?.identifier }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable {
  /// Whether the token is good; not what else the server said.
  public var description: String { isActive ? "active" : "not active" }
  public var customMirror: Mirror { Mirror(self, children: ["isActive": isActive], displayStyle: .struct) }
}
