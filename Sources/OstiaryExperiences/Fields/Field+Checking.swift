internal import OstiaryCore

extension Experience.Field {
  /// The most Unicode code points that any value has.
  public static let longestValue = 4_096

  /// What was entered as a value of this field's kind, with everything that is wrong with it.
  ///
  /// A server checks with it what a client has checked already. ``Experience/Constraints/matches`` concerns two fields
  /// and is left to the caller that has both. Before anything is judged, digits of other scripts, spaces and hyphens of
  /// other kinds and invisible characters become plain ones in numbers, days, telephone numbers and addresses; lines of
  /// text are normalized (NFC) and trimmed. Secrets and hidden values stay as they are.
  /// - Parameters:
  ///   - entry: what was entered; `nil` for nothing. A toggle is on for `true`, `on`, `yes` and `1`.
  ///   - language: how the user writes numbers (BCP 47); by default with a point.
  public func check(_ entry: String?, language: String? = nil) -> (value: FieldValue, issue: FieldIssue?) {
    check(entry, language.map { NumberStyle($0) } ?? .plain)
  }

  func check(_ entry: String?, _ numbers: NumberStyle) -> (value: FieldValue, issue: FieldIssue?) {
    let raw = entry ?? ""
    let kind = kind.known
    if kind == .toggle {
      let isOn = Self.isOn(raw)
      return (.toggle(isOn), isRequired && !isOn ? FieldIssue(.mustBeOn) : nil)
    }
    let reading = kind == .number && !raw.isEmpty ? numbers.read(raw) : .none
    let text = normalized(raw, reading)
    let value: FieldValue = isSecure ? .secret(Secret(text)) : .text(text)
    guard !text.isEmpty else { return (value, isRequired ? FieldIssue(.required) : nil) }
    let length = text.unicodeScalars.prefix(Self.longestValue + 1).count
    let most = min(constraints.maxLength ?? Self.longestValue, Self.longestValue)
    guard length <= most else { return (value, FieldIssue(.tooLong, limit: String(most))) }
    if let least = constraints.minLength, length < least {
      return (value, FieldIssue(.tooShort, limit: String(least)))
    }
    let (typed, issue) = checkKind(kind, text, value, reading)
    if issue == nil, let pattern = constraints.pattern, !pattern.matches(text) {
      return (typed, FieldIssue(.pattern))
    }
    return (typed, issue)
  }

  /// What is judged of an entry.
  private func normalized(_ raw: String, _ reading: NumberStyle.Reading) -> String {
    // What is too long for any field is refused, not read.
    guard !isSecure, !raw.isEmpty, raw.utf8.count <= Self.longestValue * 8 else { return raw }
    switch kind.known {
    case .hidden: return raw
    case .number:
      if case .number(let number) = reading { return number }
      return InputText.narrow(raw)
    case .phone, .date: return InputText.narrow(raw)
    case .email: return InputText.address(raw)
    case .choice: return option(raw)
    default: return InputText.name(raw)
    }
  }

  /// The option that was chosen: the very one, or the one that differs by spaces at the ends alone.
  private func option(_ raw: String) -> String {
    if options.contains(where: { $0.value == raw }) { return raw }
    let text = InputText.trimmed(raw)
    return options.first { InputText.trimmed($0.value) == text }?.value ?? text
  }

  private func checkKind(
    _ kind: Experience.FieldKind, _ text: String, _ value: FieldValue, _ reading: NumberStyle.Reading
  ) -> (FieldValue, FieldIssue?) {
    switch kind {
    case .email: return (value, Self.isEmailAddress(text) ? nil : FieldIssue(.email))
    case .phone: return (value, Self.isPhoneNumber(text) ? nil : FieldIssue(.phone))
    case .choice:
      return (value, options.contains { $0.value == text } ? nil : FieldIssue(.choice))
    case .number:
      if case .ambiguous(let example) = reading {
        // The example is what was typed, which a secure field must not show.
        return (value, isSecure ? FieldIssue(.number) : FieldIssue(.ambiguousNumber, limit: example))
      }
      guard let number = reading.number else { return (value, FieldIssue(.number)) }
      // A secure number (a card's) stays hidden.
      let typed: FieldValue = isSecure ? value : Self.value(number, text)
      if case .number(let least) = constraints.minimum, number < least {
        return (typed, FieldIssue(.tooSmall, limit: NumberStyle.plain(least)))
      }
      if case .number(let most) = constraints.maximum, number > most {
        return (typed, FieldIssue(.tooLarge, limit: NumberStyle.plain(most)))
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
    switch InputText.trimmed(text).lowercased() {
    case "true", "on", "yes", "1": true
    default: false
    }
  }

  /// The number as a value: the one that was written, not the nearest `Double`.
  private static func value(_ number: Double, _ text: String) -> FieldValue {
    guard let whole = Int64(text), Int64(exactly: number) != whole else { return .number(number) }
    return .integer(whole)
  }

  /// The grammar of HTML's `input type=email` (HTML standard §4.10.5.1.5) with letters beyond ASCII allowed (RFC 6531):
  /// enough to catch a slip. Whether the address exists, only a message to it tells.
  private static func isEmailAddress(_ text: String) -> Bool {
    guard text.utf8.count <= 254, !hasUnseen(text), let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return false
    }
    let (local, domain) = (text.utf8[..<at], text.utf8[text.utf8.index(after: at)...])
    guard !local.isEmpty, local.count <= 64, local.allSatisfy(isAtom) else { return false }
    let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// Whether an address has characters that can't be seen. The joiners belong to the names of some scripts, before the @.
  private static func hasUnseen(_ text: String) -> Bool {
    var isLocal = true
    for scalar in text.unicodeScalars where scalar.value == 0x40 || scalar.value < 0x20 || scalar.value > 0x7E {
      if scalar == "@" { isLocal = false }
      let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D || scalar.properties.isVariationSelector
      if InputText.isUnseen(scalar), !(isLocal && isJoiner) { return true }
    }
    return false
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte >= 0x80
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
  }

  /// Three to fifteen digits (ITU-T E.164) with the usual separators, perhaps after a plus sign, which may be in brackets.
  private static func isPhoneNumber(_ text: String) -> Bool {
    var digits = 0
    var hasPlus = false
    for byte in text.utf8 {
      switch byte {
      case 48...57: digits += 1
      case UInt8(ascii: "+"):
        guard digits == 0, !hasPlus else { return false }
        hasPlus = true
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "/"):
        continue
      default: return false
      }
    }
    return (3...15).contains(digits)
  }
}
