/// What a request has as its body.
public enum DialectBody: Sendable, Hashable {
  /// A JSON object.
  case json(DialectJSON)
  /// A form (`application/x-www-form-urlencoded`).
  case form([DialectField])
}

/// A JSON value whose texts are templates. Members keep their order.
public indirect enum DialectJSON: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number that fits a 64-bit integer.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text. One that is nothing but `{name:number}` or `{name:boolean}` is sent as such a value; one that is nothing but `{name?}` is
  /// left out where there is no such value.
  case text(DialectTemplate)
  /// An array.
  case array([DialectJSON])
  /// An object.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The name, which is no template.
    public var name: String
    /// The value.
    public var value: DialectJSON

    /// Makes a member.
    public init(_ name: String, _ value: DialectJSON) {
      self.name = name
      self.value = value
    }
  }
}

extension DialectJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .text(DialectTemplate(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(arrayLiteral elements: DialectJSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, DialectJSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
