internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences

/// Values as the vendor's API has them, and as the module below does.
enum PropertyBridge {
  /// Reads a dictionary; what can't be a property is left out, by name.
  static func properties(_ values: [AnyHashable: Any]?) -> (taken: [String: PropertyValue], refused: [String]) {
    var taken: [String: PropertyValue] = [:]
    var refused: [String] = []
    for (key, value) in values ?? [:] {
      let name = key as? String ?? "\(key.base)"
      if let property = property(value) { taken[name] = property } else { refused.append(name) }
    }
    return (taken, refused.sorted())
  }

  static func property(_ value: Any) -> PropertyValue? {
    switch value {
    case let value as PropertyValue: value
    case let value as String: .string(value)
    case let value as Date: .date(value)
    case let value as URL: .string(value.absoluteString)
    case _ where type(of: value) == Bool.self: .bool(value as? Bool ?? false)
    case let value as any BinaryInteger: Int64(exactly: value).map { .integer($0) }
    case let value as Decimal: decimal(value)
    case let value as any BinaryFloatingPoint: .number(Double(value))
    case let value as NSNumber: number(value)
    case let values as [Any]: list(values)
    default: nil
    }
  }

  private static func number(_ number: NSNumber) -> PropertyValue? {
    // Foundation encodes booleans as characters, which apps don't use for numbers.
    switch String(cString: number.objCType) {
    case "c", "B": .bool(number.boolValue)
    // Every other integer is read as one: a `Double` has 53 bits.
    case "s", "i", "l", "q", "C", "S", "I": .integer(number.int64Value)
    case "L", "Q": Int64(exactly: number.uint64Value).map { .integer($0) }
    default: Int64(exactly: number.doubleValue).map { .integer($0) } ?? .number(number.doubleValue)
    }
  }

  private static func decimal(_ value: Decimal) -> PropertyValue? {
    if let whole = Int64("\(value)") { return .integer(whole) }
    let number = NSDecimalNumber(decimal: value).doubleValue
    // A whole number that is too large for an integer would be rounded.
    return value.isNaN || (value.exponent >= 0 && !value.isZero) ? nil : .number(number)
  }

  private static func list(_ values: [Any]) -> PropertyValue? {
    var properties: [PropertyValue] = []
    for value in values {
      guard let property = property(value) else { return nil }
      if case .list = property { return nil }
      properties.append(property)
    }
    return .list(properties)
  }

  /// A property as an app gets it.
  static func foundation(_ value: PropertyValue) -> Any {
    switch value {
    case .string(let value): value
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .bool(let value): value
    case .date(let value): value
    case .list(let values): values.map(foundation)
    }
  }

  /// Fields as a delegate gets them. What a secure field holds goes to the app, whose business it is.
  static func foundation(_ fields: [String: FieldValue]) -> [String: Any] {
    fields.mapValues { value -> Any in
      switch value {
      case .text(let text): text
      case .secret(let secret): secret.reveal()
      case .number(let number): NSNumber(value: number)
      case .integer(let number): NSNumber(value: number)
      case .toggle(let isOn): isOn
      }
    }
  }

  /// What a provider told, as a delegate gets it.
  static func foundation(_ fields: [String: JSONValue]) -> [String: Any] {
    fields.mapValues(foundation)
  }

  private static func foundation(_ value: JSONValue) -> Any {
    switch value {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let value): value
    case .array(let values): values.map { foundation($0) as Any }
    case .object(let members): foundation(members)
    }
  }
}
