/// A regular expression that a whole value must match, in time proportional to the value's length.
///
/// Documents come from elsewhere, and a backtracking matcher can be kept busy for years by a short expression. So this is
/// the part of the common syntax that needs no backtracking: literal characters, `.`, `\d \w \s` and their opposites
/// (ASCII), `\` before punctuation, classes such as `[A-Za-z_]` and `[^0-9]`, groups `( )` and `(?: )`, `|`, `?`, `*`, `+`
/// and `{2}`, `{2,}`, `{2,4}`. `^` at the beginning and `$` at the end are allowed and change nothing. What is valid here
/// means the same in the `pattern` attribute of HTML.
public struct Pattern: Sendable, Hashable, CustomStringConvertible {
  /// How many steps an expression may have when its repetitions are written out.
  public static let maximumSize = 2_000
  /// How many characters an expression may have.
  public static let maximumLength = 500

  /// The expression.
  public let source: String
  private let program: [PatternStep]

  /// Reads an expression, or `nil` if it is not one of these, or is too large.
  public init?(_ source: String) {
    var parser = PatternParser(source)
    guard let program = parser.program() else { return nil }
    self.source = source
    self.program = program
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.source == rhs.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
  public var description: String { source }

  /// Whether all of `text` matches.
  public func matches(_ text: String) -> Bool {
    var states = PatternStates(program.count)
    var following = PatternStates(program.count)
    states.add(0, in: program)
    for scalar in text.unicodeScalars {
      guard !states.isEmpty else { return false }
      following.removeAll()
      for state in states where program[state].accepts(scalar) { following.add(state + 1, in: program) }
      swap(&states, &following)
    }
    return states.contains { program[$0].isEnd }
  }
}

/// One step of a compiled expression.
enum PatternStep: Sendable {
  case any
  case scalar(Unicode.Scalar)
  case set(PatternSet)
  /// Goes on at both places.
  case fork(Int, Int)
  case jump(Int)
  case end

  func accepts(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .any: scalar != "\n" && scalar != "\r" && scalar != "\u{2028}" && scalar != "\u{2029}"
    case .scalar(let wanted): scalar == wanted
    case .set(let set): set.contains(scalar)
    case .fork, .jump, .end: false
    }
  }

  var isEnd: Bool { if case .end = self { true } else { false } }
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

/// The places that a match may be at.
private struct PatternStates: Sequence {
  private var places: [Int] = []
  private var isIn: [Bool]

  init(_ count: Int) {
    isIn = [Bool](repeating: false, count: count)
  }

  var isEmpty: Bool { places.isEmpty }

  func makeIterator() -> IndexingIterator<[Int]> { places.makeIterator() }

  mutating func removeAll() {
    for place in places { isIn[place] = false }
    places.removeAll(keepingCapacity: true)
  }

  /// Adds a place and everywhere that leads to without a character.
  mutating func add(_ place: Int, in program: [PatternStep]) {
    var open = [place]
    while let place = open.popLast() {
      guard !isIn[place] else { continue }
      isIn[place] = true
      places.append(place)
      switch program[place] {
      case .fork(let first, let second):
        open.append(second)
        open.append(first)
      case .jump(let target): open.append(target)
      default: break
      }
    }
  }
}
