/// A constant of an open set: it is written and compared as its name, and others can be added in extensions.
public protocol NamedConstant: RawRepresentable<String>, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The constant of this name.
  init(rawValue: String)
}

extension NamedConstant {
  /// The constant of this name.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }
  /// The name.
  public var description: String { rawValue }
}
