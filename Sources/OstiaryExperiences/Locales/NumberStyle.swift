/// How numbers are written in a language, and how they are read from what people type.
struct NumberStyle: Sendable {
  private let decimal: Unicode.Scalar
  private let zero: Unicode.Scalar
  /// The decimal signs of the language, with its own digits and with European ones.
  private let decimals: Set<Unicode.Scalar>

  /// - Parameter language: a language tag (BCP 47), with a region where there is one.
  init(_ language: String) {
    // Arabic as such has other digits than Arabic in Egypt, though that is where it is likely from.
    let names = LanguageTag(language).spelled(keepsRegion: true).ancestors
    let found = names.lazy.compactMap { SortedWords.value(of: $0.name, in: LocaleTables.numbers) }.first ?? ".,"
    let signs = Array(found.unicodeScalars)
    decimal = signs.count == 5 ? signs[2] : signs[0]
    zero = signs.count == 5 ? signs[4] : "0"
    decimals = [signs[0], decimal]
  }

  /// What stands before decimals.
  var decimalSeparator: String { String(Character(decimal)) }

  /// How documents and programs write numbers: with a point.
  static let plain = NumberStyle("und")

  // MARK: Writing

  /// A number as its digits, with a point and without an exponent where that is readable: `18`, not `18.0` or `1.8e+1`.
  static func plain(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return String(whole) }
    let text = String(number)
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]),
      (-20...20).contains(exponent)
    else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    let sign = number < 0 ? "-" : ""
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    let fraction = digits.count - 1 - exponent
    if fraction <= 0 { return sign + digits + String(repeating: "0", count: -fraction) }
    let filled = String(repeating: "0", count: max(0, fraction + 1 - digits.count)) + digits
    return sign + "\(filled.dropLast(fraction)).\(filled.suffix(fraction))"
  }

  /// A number with a point as the language writes it. Groups are not set apart, so that it can be read back anywhere.
  func written(_ plain: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars {
      switch scalar {
      case ".": text.append(decimal)
      case "0"..."9": text.append(Unicode.Scalar(zero.value + scalar.value - 48) ?? scalar)
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  // MARK: Reading

  /// What a text says.
  enum Reading: Hashable {
    /// A number, with a point and in digits of ASCII.
    case number(String)
    /// The one sign could be for decimals or for a group: the number without it.
    case ambiguous(String)
    case none

    var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  }

  /// Reads a number that may have signs of the language, digits of any script, groups and marks of direction.
  func read(_ text: String) -> Reading {
    guard text.utf8.count <= 512 else { return .none }
    var rest = Array(InputText.narrow(text).unicodeScalars)[...]
    var sign = ""
    if let first = rest.first, first == "+" || first == "-" {
      if first == "-" { sign = "-" }
      rest.removeFirst()
    }
    var exponent = ""
    if let mark = rest.lastIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = "e" + String(String.UnicodeScalarView(rest[(mark + 1)...]))
      guard Self.isExponent(rest[(mark + 1)...]) else { return .none }
      rest = rest[..<mark]
    }
    guard let (runs, signs) = Self.parts(rest) else { return .none }
    switch join(runs, signs, hasExponent: !exponent.isEmpty) {
    case .number(let digits):
      let number = sign + digits + exponent
      return number.utf8.count <= 64 && Double(number)?.isFinite == true ? .number(number) : .none
    case .ambiguous(let digits): return .ambiguous(sign + digits)
    case .none: return .none
    }
  }

  private static func isExponent(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let digits = text.first == "+" || text.first == "-" ? text.dropFirst() : text
    return !digits.isEmpty && digits.count <= 4 && digits.allSatisfy { ("0"..."9").contains($0) }
  }

  /// The runs of digits, and the signs between them.
  private static func parts(_ text: ArraySlice<Unicode.Scalar>) -> (runs: [String], signs: [Unicode.Scalar])? {
    var (runs, signs) = ([""], [Unicode.Scalar]())
    for scalar in text {
      if ("0"..."9").contains(scalar) {
        runs[runs.count - 1].unicodeScalars.append(scalar)
      } else if isDecimal(scalar) || isGroup(scalar) {
        signs.append(scalar)
        runs.append("")
      } else {
        return nil
      }
    }
    return runs.allSatisfy(\.isEmpty) ? nil : (runs, signs)
  }

  /// Signs that stand before decimals, wherever.
  private static func isDecimal(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "," || scalar == "\u{66B}" || scalar == "\u{60C}" || scalar == "\u{2E41}"
  }

  /// Signs that stand between groups alone.
  private static func isGroup(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "'" || scalar == "\u{2019}" || scalar == "\u{66C}"
  }

  private func join(_ runs: [String], _ signs: [Unicode.Scalar], hasExponent: Bool) -> Reading {
    guard let last = signs.last else { return .number(runs[0]) }
    let whole = runs.dropLast().joined()
    if signs.count == 1, Self.isDecimal(last) {
      let looksGrouped = (1...3).contains(runs[0].count) && runs[0].first != "0" && runs[1].count == 3
      if looksGrouped, !hasExponent, last != "\u{66B}", !decimals.contains(last) { return .ambiguous(runs.joined()) }
      return .number("\(whole.isEmpty ? "0" : whole).\(runs[1].isEmpty ? "0" : runs[1])")
    }
    // Groups have one sign, which is not the one before the decimals.
    let hasDecimals = Self.isDecimal(last) && last != signs[0]
    let groups = hasDecimals ? runs.dropLast() : runs[...]
    guard signs.dropLast(hasDecimals ? 1 : 0).allSatisfy({ $0 == signs[0] }), Self.areGroups(groups) else {
      return .none
    }
    guard hasDecimals else { return .number(runs.joined()) }
    return runs[runs.count - 1].isEmpty ? .none : .number("\(whole).\(runs[runs.count - 1])")
  }

  /// One to three digits and then threes, or twos and a three at the end, as in India.
  private static func areGroups(_ runs: ArraySlice<String>) -> Bool {
    guard let first = runs.first, let last = runs.last, (1...3).contains(first.count), last.count == 3 else {
      return false
    }
    let middle = runs.dropFirst().dropLast()
    return middle.allSatisfy { $0.count == 3 } || first.count <= 2 && middle.allSatisfy { $0.count == 2 }
  }
}
