/// Reads an expression into its parts.
struct PatternParser {
  private static let maximumDepth = 24
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  private var sets = 0

  init(_ source: String) {
    scalars = Array(source.unicodeScalars.prefix(Pattern.maximumLength + 1))
  }

  /// The whole expression, or `nil`.
  mutating func expression() -> PatternNode? {
    _ = take("^")
    guard let node = alternatives(), position == scalars.count else { return nil }
    return node
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func alternatives() -> PatternNode? {
    guard let first = sequence() else { return nil }
    var all = [first]
    while take("|") {
      guard let other = sequence() else { return nil }
      all.append(other)
    }
    return all.count == 1 ? first : .alternatives(all)
  }

  private mutating func sequence() -> PatternNode? {
    var parts: [PatternNode] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      if scalar == "$", position == scalars.count - 1 {
        position += 1
        break
      }
      guard let atom = atom(), let repeated = repetition(of: atom) else { return nil }
      parts.append(repeated)
    }
    return .sequence(parts)
  }

  /// A class with a number of its own, by which its copies are known.
  private mutating func node(_ set: PatternSet) -> PatternNode {
    sets += 1
    return .set(set, number: sets)
  }

  private mutating func atom() -> PatternNode? {
    guard let scalar = current else { return nil }
    position += 1
    switch scalar {
    case "(":
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.maximumDepth else { return nil }
      if take("?") { guard take(":") else { return nil } }
      guard let inner = alternatives(), take(")") else { return nil }
      return inner
    case "[": return set().map { node($0) }
    case ".": return node(.any)
    case "\\":
      guard let letter = current else { return nil }
      position += 1
      if let set = PatternSet.named(letter) { return node(set) }
      return Self.escaped(letter).map { node(PatternSet(ranges: [$0...$0])) }
    case "*", "+", "?", "{", "}", "]", "^", "$": return nil
    default: return node(PatternSet(ranges: [scalar...scalar]))
    }
  }

  /// What a backslash and a character stand for: punctuation for itself, and three usual controls.
  private static func escaped(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    switch letter {
    case "t": "\t"
    case "n": "\n"
    case "r": "\r"
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": letter
    default: nil
    }
  }

  private mutating func set() -> PatternSet? {
    var set = PatternSet()
    set.isNegated = take("^")
    while let scalar = current, scalar != "]" {
      position += 1
      var first = scalar
      if scalar == "\\" {
        guard let letter = current else { return nil }
        position += 1
        if let named = PatternSet.named(letter) {
          if named.isNegated {
            set.excluded.append(PatternSet(ranges: named.ranges))
          } else {
            set.ranges += named.ranges
          }
          continue
        }
        guard let escaped = Self.escaped(letter) else { return nil }
        first = escaped
      } else if scalar == "[" {
        return nil
      }
      guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges.append(first...first)
        continue
      }
      position += 1
      guard var last = current else { return nil }
      position += 1
      if last == "\\" {
        guard let letter = current, let escaped = Self.escaped(letter) else { return nil }
        position += 1
        last = escaped
      }
      guard first <= last, last != "[" else { return nil }
      set.ranges.append(first...last)
    }
    guard take("]"), !(set.ranges.isEmpty && set.excluded.isEmpty) else { return nil }
    return set
  }

  /// The part as often as the quantifier after it says.
  private mutating func repetition(of part: PatternNode) -> PatternNode? {
    let least: Int
    var most: Int?
    switch current {
    case "*": (least, most) = (0, nil)
    case "+": (least, most) = (1, nil)
    case "?": (least, most) = (0, 1)
    case "{":
      position += 1
      guard let first = number() else { return nil }
      least = first
      most = first
      if take(",") {
        most = current == "}" ? nil : number()
        if most == nil, current != "}" { return nil }
      }
      guard current == "}", most.map({ $0 >= least }) ?? true else { return nil }
    default: return part
    }
    position += 1
    // One quantifier after another would be a lazy or possessive one, or an error.
    if let next = current, next == "*" || next == "+" || next == "?" || next == "{" { return nil }
    return .repetition(part, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = current, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 48), Pattern.maximumPlaces + 1)
      position += 1
    }
    return value
  }
}
