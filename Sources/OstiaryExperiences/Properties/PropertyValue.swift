public import Foundation
public import OstiaryCore

/// What a user property or an event's parameter can hold.
public enum PropertyValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A whole number, kept exact.
  case integer(Int64)
  /// Any other number. It must be finite; ``PropertyLimits`` refuses others.
  case number(Double)
  /// Yes or no.
  case bool(Bool)
  /// A point in time, to the millisecond.
  case date(Date)
  /// Several values. A list holds no lists.
  case list([PropertyValue])

  /// The value as it stands in a text that names it: lists are joined with commas, points in time are in RFC 3339.
  public var text: String {
    switch self {
    case .string(let value): value
    case .integer(let value): String(value)
    case .number(let value): Self.text(of: value)
    case .bool(let value): value ? "true" : "false"
    case .date(let value): value.formatted(Self.dateStyle)
    case .list(let values): values.map(\.text).joined(separator: ", ")
    }
  }

  /// The value as servers get it: JSON has no points in time, so they travel as text in RFC 3339.
  public var json: JSONValue {
    switch self {
    case .string(let value): .string(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .bool(let value): .bool(value)
    case .date: .string(text)
    case .list(let values): .array(values.map(\.json))
    }
  }

  /// Reads a value that is text, a number, a boolean, or a list of these; `nil` for `null`, for objects and for lists
  /// with lists or objects in them.
  public init?(_ json: JSONValue) {
    switch json {
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .bool(let value): self = .bool(value)
    case .array(let elements):
      var values: [PropertyValue] = []
      for element in elements {
        guard let value = PropertyValue(element), !value.isList else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .null, .object: return nil
    }
  }

  var isList: Bool { if case .list = self { true } else { false } }

  static var dateStyle: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }

  /// Whole numbers without a fraction: what was typed as 12 is shown as 12.
  private static func text(of number: Double) -> String {
    guard let whole = Int64(exactly: number) else { return String(number) }
    return String(whole)
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: PropertyValue...) { self = .list(elements) }
}

/// At rest a value is JSON, so that it is read back as what it was; a point in time is an object with one member.
extension PropertyValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case date
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([PropertyValue].self) {
      self = .list(values)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = .date(Date(timeIntervalSince1970: try container.decode(Double.self, forKey: .date)))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .date(let value) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(value.timeIntervalSince1970, forKey: .date)
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .date: break
    case .list(let values): try container.encode(values)
    }
  }
}

extension PropertyValue: CustomStringConvertible, CustomReflectable {
  /// What kind of value it is. A text may be about a person and is not shown; nor are numbers and points in time.
  public var description: String {
    switch self {
    case .string: "PropertyValue(text)"
    case .integer, .number: "PropertyValue(number)"
    case .bool(let value): "PropertyValue(\(value))"
    case .date: "PropertyValue(date)"
    case .list(let values): "PropertyValue(\(values.count) values)"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .enum) }
}
