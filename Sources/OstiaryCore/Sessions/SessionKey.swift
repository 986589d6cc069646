/// Where a session rests in a store: one application's session with one server.
public struct SessionKey: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The key as text. It may name a server or an account; it must not hold a secret.
  public let name: String

  /// Makes a key.
  public init(_ name: String) {
    self.name = name
  }

  public var description: String { name }
}
