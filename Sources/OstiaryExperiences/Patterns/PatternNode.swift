/// A part of an expression.
indirect enum PatternNode: Sendable {
  /// The number is that of the class within the expression.
  case set(PatternSet, number: Int)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// No `most` is any number.
  case repetition(PatternNode, least: Int, most: Int?)
}

/// A class of characters.
struct PatternSet: Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var excluded: [PatternSet] = []
  var isNegated = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    (ranges.contains { $0.contains(scalar) } || excluded.contains { !$0.contains(scalar) }) != isNegated
  }

  static let digit = PatternSet(ranges: ["0"..."9"])
  static let word = PatternSet(ranges: ["0"..."9", "A"..."Z", "a"..."z", "_"..."_"])
  static let space = PatternSet(ranges: [
    "\t"..."\r", " "..." ", "\u{A0}"..."\u{A0}", "\u{1680}"..."\u{1680}", "\u{2000}"..."\u{200A}",
    "\u{2028}"..."\u{2029}", "\u{202F}"..."\u{202F}", "\u{205F}"..."\u{205F}", "\u{3000}"..."\u{3000}",
    "\u{FEFF}"..."\u{FEFF}",
  ])
  /// What a point stands for: all but the ends of lines.
  static let any = PatternSet(
    ranges: ["\n"..."\n", "\r"..."\r", "\u{2028}"..."\u{2029}"], isNegated: true)

  /// The class that a letter after a backslash names.
  static func named(_ letter: Unicode.Scalar) -> PatternSet? {
    switch letter {
    case "d": digit
    case "w": word
    case "s": space
    case "D": PatternSet(ranges: digit.ranges, isNegated: true)
    case "W": PatternSet(ranges: word.ranges, isNegated: true)
    case "S": PatternSet(ranges: space.ranges, isNegated: true)
    default: nil
    }
  }
}

// MARK: For HTML

extension PatternNode {
  /// The part as a browser reads it (ECMAScript with the flag `v`).
  var html: String {
    switch self {
    case .set(let set, _): set.html
    case .sequence(let parts): parts.map(\.html).joined()
    case .alternatives(let parts): "(?:" + parts.map(\.html).joined(separator: "|") + ")"
    case .repetition(let part, let least, let most):
      "(?:\(part.html))" + (most == least ? "{\(least)}" : "{\(least),\(most.map { "\($0)" } ?? "")}")
    }
  }
}

extension PatternSet {
  fileprivate var html: String {
    if !isNegated, excluded.isEmpty, ranges.count == 1, let only = ranges.first, only.lowerBound == only.upperBound {
      return Self.escaped(only.lowerBound, among: #"^$\.*+?()[]{}|/"#)
    }
    let parts = ranges.map { range in
      let ends = [range.lowerBound, range.upperBound].map { Self.escaped($0, among: Self.reserved) }
      return range.lowerBound == range.upperBound ? ends[0] : ends.joined(separator: "-")
    }
    // Without `[^…]` of its own: `v` allows a class in a class.
    let others = excluded.map { "[^" + $0.html.dropFirst() }
    return (isNegated ? "[^" : "[") + (parts + others).joined() + "]"
  }

  /// What means something in a class under the flag `v`.
  private static let reserved = #"^$\.*+?()[]{}|/&-!#%,:;<=>@`~"#

  private static func escaped(_ scalar: Unicode.Scalar, among reserved: String) -> String {
    switch scalar {
    case "\t": #"\t"#
    case "\n": #"\n"#
    case "\r": #"\r"#
    case _ where reserved.unicodeScalars.contains(scalar): "\\\(scalar)"
    case _ where InputText.isUnseen(scalar) && scalar != " ": "\\u{\(String(scalar.value, radix: 16))}"
    default: String(Character(scalar))
    }
  }
}
