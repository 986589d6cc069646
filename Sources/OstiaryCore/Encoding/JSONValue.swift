public import Foundation

/// Any JSON value, kept as it came.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number that fits a 64-bit integer, kept exact.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The text of a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The value of a boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The members of an object.
  public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  /// The elements of an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The value of a number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// A member of an object.
  public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue {
  /// How deep arrays and objects may be nested in what ``init(json:)`` reads.
  package static let maximumDepth = 128

  /// Reads one JSON text in UTF-8 (RFC 8259), in time proportional to its length.
  ///
  /// Prefer it to `JSONDecoder` for what a server sends. A decoder finds out what a value is by trying one type after
  /// the other, at some microseconds each: a megabyte of empty objects takes it many seconds.
  /// - Returns: `nil` for text that is malformed, is nested more than 128 deep, or holds a number that is
  ///   too large for a `Double`.
  public init?(json: Data) {
    var parser = JSONParser(json)
    guard let value = parser.parse() else { return nil }
    self = value
  }
}

extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
