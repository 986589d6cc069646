/// Reads an expression into steps.
struct PatternParser {
  private static let maximumDepth = 24
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// A piece of program whose places count from its own beginning.
  private typealias Piece = [PatternStep]

  init(_ source: String) {
    scalars = Array(source.unicodeScalars.prefix(Pattern.maximumLength + 1))
  }

  /// The whole expression, or `nil`.
  mutating func program() -> [PatternStep]? {
    guard scalars.count <= Pattern.maximumLength else { return nil }
    _ = take("^")
    guard let piece = alternatives(), position == scalars.count else { return nil }
    return piece.count < Pattern.maximumSize ? piece + [.end] : nil
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func alternatives() -> Piece? {
    guard var piece = sequence() else { return nil }
    while take("|") {
      guard let other = sequence() else { return nil }
      guard let both = Self.either(piece, other) else { return nil }
      piece = both
    }
    return piece
  }

  private mutating func sequence() -> Piece? {
    var whole: Piece = []
    while let scalar = current, scalar != "|", scalar != ")" {
      if scalar == "$", position == scalars.count - 1 {
        position += 1
        break
      }
      guard let atom = atom(), let repeated = repetition(of: atom) else { return nil }
      guard whole.count + repeated.count <= Pattern.maximumSize else { return nil }
      Self.append(repeated, to: &whole)
    }
    return whole
  }

  private mutating func atom() -> Piece? {
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
    case "[": return set().map { [.set($0)] }
    case ".": return [.any]
    case "\\":
      guard let letter = current else { return nil }
      position += 1
      if let set = PatternSet.named(letter) { return [.set(set)] }
      return Self.escaped(letter).map { [.scalar($0)] }
    case "*", "+", "?", "{", "}", "]", "^", "$": return nil
    default: return [.scalar(scalar)]
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

  /// The piece as often as the quantifier after it says.
  private mutating func repetition(of piece: Piece) -> Piece? {
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
    default: return piece
    }
    position += 1
    // One quantifier after another would be a lazy or possessive one, or an error.
    if let next = current, next == "*" || next == "+" || next == "?" || next == "{" { return nil }
    guard (piece.count + 2) * max(least, most ?? least, 1) <= Pattern.maximumSize else { return nil }
    var whole: Piece = []
    for _ in 0..<least { Self.append(piece, to: &whole) }
    if let most {
      let optional = [.fork(1, piece.count + 1)] + Self.moved(piece, by: 1)
      for _ in least..<most { Self.append(optional, to: &whole) }
    } else {
      let loop = [.fork(1, piece.count + 2)] + Self.moved(piece, by: 1) + [.jump(0)]
      Self.append(loop, to: &whole)
    }
    return whole
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = current, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 48), Pattern.maximumSize + 1)
      position += 1
    }
    return value
  }

  // MARK: Pieces

  private static func moved(_ piece: Piece, by offset: Int) -> Piece {
    piece.map { step in
      switch step {
      case .fork(let first, let second): .fork(first + offset, second + offset)
      case .jump(let target): .jump(target + offset)
      default: step
      }
    }
  }

  /// Puts a piece behind another, in place: copying what is there for every character would take square time.
  private static func append(_ second: Piece, to first: inout Piece) {
    first.append(contentsOf: moved(second, by: first.count))
  }

  private static func either(_ first: Piece, _ second: Piece) -> Piece? {
    guard first.count + second.count + 2 <= Pattern.maximumSize else { return nil }
    return [.fork(1, first.count + 2)] + moved(first, by: 1) + [.jump(first.count + second.count + 2)]
      + moved(second, by: first.count + 2)
  }
}
