internal import OstiaryCore

extension Experience.Field {
  /// The most Unicode code points that any value has.
  public static let longestValue = 4_096

  /// What was entered as a value of this field's kind, with everything that is wrong with it.
  ///
  /// A server checks with it what a client has checked already. ``Experience/Constraints/matches`` concerns two fields
  /// and is left to the caller that has both.
  /// - Parameter entry: what was entered; `nil` for nothing. A toggle is on for `true`, `on`, `yes` and `1`.
  public func check(_ entry: String?) -> (value: FieldValue, issue: FieldIssue?) {
    let raw = entry ?? ""
    let kind = kind.known
    if kind == .toggle {
      let isOn = Self.isOn(raw)
      return (.toggle(isOn), isRequired && !isOn ? FieldIssue(.mustBeOn) : nil)
    }
    let text = isSecure || kind == .text || kind == .hidden ? raw : Self.trimmed(raw)
    let value: FieldValue = isSecure ? .secret(Secret(text)) : .text(text)
    guard !text.isEmpty else { return (value, isRequired ? FieldIssue(.required) : nil) }
    let length = text.unicodeScalars.prefix(Self.longestValue + 1).count
    let most = min(constraints.maxLength ?? Self.longestValue, Self.longestValue)
    guard length <= most else { return (value, FieldIssue(.tooLong, limit: String(most))) }
    if isRequired, !isSecure, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      return (value, FieldIssue(.required))
    }
    if let least = constraints.minLength, length < least {
      return (value, FieldIssue(.tooShort, limit: String(least)))
    }
    let (typed, issue) = checkKind(kind, text, value)
    if issue == nil, let pattern = constraints.pattern, !pattern.matches(text) {
      return (typed, FieldIssue(.pattern))
    }
    return (typed, issue)
  }

  private func checkKind(_ kind: Experience.FieldKind, _ text: String, _ value: FieldValue) -> (
    FieldValue, FieldIssue?
  ) {
    switch kind {
    case .email: return (value, Self.isEmailAddress(text) ? nil : FieldIssue(.email))
    case .phone: return (value, Self.isPhoneNumber(text) ? nil : FieldIssue(.phone))
    case .choice:
      return (value, options.contains { $0.value == text } ? nil : FieldIssue(.choice))
    case .number:
      guard let number = Self.number(text) else { return (value, FieldIssue(.number)) }
      // A secure number (a card's) stays hidden.
      let typed: FieldValue = isSecure ? value : Self.value(number, text)
      if case .number(let least) = constraints.minimum, number < least {
        return (typed, FieldIssue(.tooSmall, limit: Self.written(least)))
      }
      if case .number(let most) = constraints.maximum, number > most {
        return (typed, FieldIssue(.tooLarge, limit: Self.written(most)))
      }
      return (typed, nil)
    case .date:
      guard let day = CalendarDay(text) else { return (value, FieldIssue(.date)) }
      if case .day(let first) = constraints.minimum, day < first {
        return (value, FieldIssue(.tooSmall, limit: first.description))
      }
      if case .day(let last) = constraints.maximum, day > last {
        return (value, FieldIssue(.tooLarge, limit: last.description))
      }
      return (value, nil)
    default: return (value, nil)
    }
  }

  /// Whether what was entered turns a toggle on.
  static func isOn(_ text: String) -> Bool {
    switch trimmed(text).lowercased() {
    case "true", "on", "yes", "1": true
    default: false
    }
  }

  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The number as a value: the one that was written, not the nearest `Double`.
  private static func value(_ number: Double, _ text: String) -> FieldValue {
    guard let whole = Int64(text), Int64(exactly: number) != whole else { return .number(number) }
    return .integer(whole)
  }

  /// A number without its needless point: `18`, not `18.0`.
  static func written(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? String(number)
  }

  /// A decimal number; no hexadecimal, no infinity.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 64, text.utf8.first != UInt8(ascii: "+"),
      text.utf8.allSatisfy({ $0 &- 48 < 10 || $0 == 0x2E || $0 == 0x2D || $0 == 0x65 || $0 == 0x45 || $0 == 0x2B }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The grammar of HTML's `input type=email` (HTML standard §4.10.5.1.5) with letters beyond ASCII allowed (RFC 6531):
  /// enough to catch a slip. Whether the address exists, only a message to it tells.
  private static func isEmailAddress(_ text: String) -> Bool {
    guard text.utf8.count <= 254, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (text.utf8[..<at], text.utf8[text.utf8.index(after: at)...])
    guard !local.isEmpty, local.count <= 64, local.allSatisfy(isAtom) else { return false }
    let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte >= 0x80
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
  }

  /// Three to fifteen digits (ITU-T E.164) with the usual separators, perhaps after a plus sign.
  private static func isPhoneNumber(_ text: String) -> Bool {
    var digits = 0
    for (place, byte) in text.utf8.enumerated() {
      switch byte {
      case 48...57: digits += 1
      case UInt8(ascii: "+"): guard place == 0 else { return false }
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "/"):
        continue
      default: return false
      }
    }
    return (3...15).contains(digits)
  }
}
