/// How a line of text is typed: the keyboard that is shown, what the system may fill in, and what it must leave alone.
public struct TextInput: Sendable, Hashable {
  /// The keys that are offered.
  public var keyboard: Keyboard
  /// What the system may fill in; `nil` for nothing it knows.
  public var content: TextContent?
  /// Which letters are made capital while typing.
  public var capitalization: Capitalization
  /// Whether the system corrects words.
  public var isCorrected: Bool
  /// Whether the text reads from left to right in every language.
  public var isLeftToRight: Bool

  /// The keys that are offered.
  public enum Keyboard: Sendable, Hashable, CaseIterable {
    /// The user's usual keyboard.
    case usual
    /// Letters, digits and signs of ASCII.
    case ascii
    /// What e-mail addresses are made of.
    case email
    /// What telephone numbers are made of.
    case phone
    /// What addresses of the web are made of.
    case url
    /// Digits.
    case digits
    /// Digits and a decimal separator.
    case decimal
    /// Digits, separators and signs.
    case numbersAndSigns
  }

  /// Which letters are made capital while typing.
  public enum Capitalization: Sendable, Hashable, CaseIterable {
    /// None.
    case none
    /// The first one of each word.
    case words
    /// The first one of each sentence.
    case sentences
    /// All.
    case characters
  }

  /// What fits a field.
  public init(_ field: FieldSnapshot) {
    let content = TextContent(autofill: field.autofill ?? field.kind.usualAutofill)
    self.content = content
    keyboard = Self.keyboard(of: field, content)
    let isVerbatim = field.isSecure || [.email, .phone, .number, .date].contains(field.kind)
    capitalization =
      field.kind == .oneTimeCode ? .characters : isVerbatim ? .none : content?.capitalization ?? .sentences
    // Names and addresses are not in dictionaries.
    isCorrected = !isVerbatim && content == nil
    isLeftToRight = isVerbatim || content?.isLeftToRight == true
  }

  private static func keyboard(of field: FieldSnapshot, _ content: TextContent?) -> Keyboard {
    switch field.kind {
    case .email: return .email
    case .phone: return .phone
    case .date: return .numbersAndSigns
    case .oneTimeCode: return .ascii
    case .number:
      // The keyboard for decimals has no minus sign.
      if case .number(let least) = field.constraints.minimum, least >= 0 { return .decimal }
      return .numbersAndSigns
    default: break
    }
    switch content {
    case .emailAddress: return .email
    case .telephoneNumber: return .phone
    case .url: return .url
    case .creditCardNumber: return .digits
    case .username: return .ascii
    default: return .usual
    }
  }

  /// What was typed, as the field's entry.
  ///
  /// Numbers, telephone numbers and days have ASCII digits, and numbers the decimal separator by which the experience reads them;
  /// keyboards offer the digits and the decimal separator of the device's language, which may be another. Other entries stay as they
  /// are, secrets always, and so does a number that has the keyboard's separator more than once or beside the experience's.
  /// - Parameter separator: the decimal separator of the keyboard, such as a comma.
  public static func entry(_ typed: String, for field: FieldSnapshot, separator: String) -> String {
    field.isSecure ? typed : entry(typed, for: field.kind, separator: separator, wanted: field.decimalSeparator)
  }

  /// What was typed, as the entry of a field of a kind that reads numbers with a point.
  public static func entry(_ typed: String, for kind: Experience.FieldKind, separator: String) -> String {
    entry(typed, for: kind, separator: separator, wanted: ".")
  }

  private static func entry(
    _ typed: String, for kind: Experience.FieldKind, separator: String, wanted: String
  ) -> String {
    guard [.number, .phone, .date].contains(kind) else { return typed }
    var scalars = String.UnicodeScalarView()
    for scalar in typed.unicodeScalars {
      let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil
      scalars.append(digit.flatMap { Unicode.Scalar(UInt32(48 + $0)) } ?? scalar)
    }
    let text = String(scalars)
    // `1,234` with another sign would be a number of thousands to the language that reads it.
    guard kind == .number, separator != wanted, !separator.isEmpty, !text.contains(wanted) else { return text }
    let parts = text.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 2 ? parts.joined(separator: wanted) : text
  }
}
