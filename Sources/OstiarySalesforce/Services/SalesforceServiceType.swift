/// A part of Service Cloud that has settings of its own. An open set.
public struct SalesforceServiceType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A type of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Cases.
  public static let cases = SalesforceServiceType("cases")
  /// Knowledge articles.
  public static let knowledge = SalesforceServiceType("knowledge")
}
