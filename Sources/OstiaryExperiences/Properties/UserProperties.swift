/// What is known of a user, by name.
///
/// New properties are merged into those that are there: a name that is new is added, one that is known gets the new value.
public struct UserProperties: Sendable, Hashable {
  /// The properties.
  public private(set) var values: [String: PropertyValue]

  /// Makes a set of properties. What exceeds the limits is left out.
  public init(_ values: [String: PropertyValue] = [:], limits: PropertyLimits = PropertyLimits()) {
    self.values = [:]
    merge(values, limits: limits)
  }

  /// The value of a property.
  public subscript(name: String) -> PropertyValue? { values[name] }

  /// Whether there is none.
  public var isEmpty: Bool { values.isEmpty }

  /// Merges properties into these. Which of several are refused for want of room is told by their names' order, so that it
  /// is the same everywhere.
  /// - Returns: what was refused, by name; everything else has been taken.
  @discardableResult
  public mutating func merge(
    _ others: [String: PropertyValue], limits: PropertyLimits = PropertyLimits()
  ) -> [PropertyProblem] {
    var problems: [PropertyProblem] = []
    for (name, value) in others.sorted(by: { $0.key < $1.key }) {
      if let reason = limits.problem(of: value, named: name) {
        problems.append(PropertyProblem(name: name, reason: reason))
      } else if values[name] == nil, values.count >= limits.count {
        problems.append(PropertyProblem(name: name, reason: .tooMany))
      } else {
        values[name] = value
      }
    }
    return problems
  }

  /// Removes a property.
  public mutating func remove(_ name: String) {
    values[name] = nil
  }

  /// These properties without those that tell who a person is.
  public func sanitized(_ personal: PersonalData) -> UserProperties {
    var properties = self
    properties.values = personal.removed(from: values)
    return properties
  }
}

extension UserProperties: Codable {
  public init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([String: PropertyValue].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}

extension UserProperties: CustomStringConvertible, CustomReflectable {
  /// The names. Values are about a person and are not shown; nor are names that have an address or a telephone number in them.
  public var description: String { "UserProperties(\(PersonalData.list(values.keys)))" }
  public var customMirror: Mirror {
    Mirror(self, children: ["names": PersonalData.list(values.keys)], displayStyle: .struct)
  }
}
