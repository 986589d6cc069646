/// A text with named values in it: `Bearer {token}`. `{{` and `}}` stand for braces.
///
/// A value is `{name}`, `{name?}` for one that may be absent, and in a JSON body also `{name:number}` and `{name:boolean}`.
/// Reading a template never fails: ``fault`` says what is wrong with it, and a dialect with such a template is refused.
public struct DialectTemplate: Sendable, Hashable {
  /// The template as it is written.
  public let text: String
  /// What it is made of; nothing where it has a ``fault``.
  public let pieces: [Piece]
  /// What is wrong with it, as the end of a sentence.
  public let fault: String?

  /// A part of a template.
  public enum Piece: Sendable, Hashable {
    /// Text that is sent as it is. The escaping of the place still applies in bodies and queries.
    case literal(String)
    /// A named value.
    case value(Value)
  }

  /// A named value in a template.
  public struct Value: Sendable, Hashable {
    /// The value's name.
    public var name: String
    /// Whether it may be absent.
    public var isOptional: Bool
    /// What it is sent as.
    public var kind: Kind

    /// Makes a named value.
    public init(_ name: String, isOptional: Bool = false, as kind: Kind = .text) {
      self.name = name
      self.isOptional = isOptional
      self.kind = kind
    }

    /// What a value is sent as in a JSON body.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A text.
      case text
      /// A number.
      case number
      /// `true` or `false`.
      case boolean
    }
  }

  /// Reads a template.
  public init(_ text: String) {
    self.text = text
    var parser = DialectTemplateParser(text)
    pieces = parser.parse()
    fault = parser.fault
  }

  /// Makes a template of its pieces.
  public init(pieces: [Piece]) {
    self.init(pieces.map(Self.written).joined())
  }

  /// The names of the values, in their order.
  public var names: [String] { values.map(\.name) }

  /// The values, in their order.
  public var values: [Value] {
    pieces.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The value, where the template is nothing but one.
  public var onlyValue: Value? {
    guard pieces.count == 1, case .value(let value) = pieces[0] else { return nil }
    return value
  }

  /// Whether two templates are the same text.
  public static func == (lhs: DialectTemplate, rhs: DialectTemplate) -> Bool { lhs.text == rhs.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  private static func written(_ piece: Piece) -> String {
    switch piece {
    case .literal(let text):
      // By bytes: a brace with a combining mark after it is another character.
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        bytes.append(byte)
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { bytes.append(byte) }
      }
      return String(decoding: bytes, as: UTF8.self)
    case .value(let value):
      let kind = value.kind == .text ? "" : ":\(value.kind.rawValue)"
      return "{\(value.name)\(value.isOptional ? "?" : "")\(kind)}"
    }
  }
}

extension DialectTemplate: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(value) }

  public var description: String { text }
}
