/// Names a kind of server: `pega`, `oauth`. An open set.
public struct AuthenticatorKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A kind of server of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
}
