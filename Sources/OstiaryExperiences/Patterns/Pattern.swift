/// A regular expression that a whole value must match, in time proportional to the value's length.
///
/// Documents come from elsewhere, and a backtracking matcher can be kept busy for years by a short expression. So this is
/// the part of the common syntax that needs no backtracking: literal characters, `.`, `\d \w \s` and their opposites
/// (ASCII), `\` before punctuation, classes such as `[A-Za-z_]` and `[^0-9]`, groups `( )` and `(?: )`, `|`, `?`, `*`, `+`
/// and `{2}`, `{2,}`, `{2,4}`. `^` at the beginning and `$` at the end are allowed and change nothing.
///
/// Browsers read the `pattern` attribute of HTML with the flag `v`, which makes some of this invalid, such as `[a-z-]` and
/// `\@`, and ignore what is invalid. ``html`` is the same expression as that attribute needs it.
public struct Pattern: Sendable, Hashable, CustomStringConvertible {
  /// How much work one character of a value may be: the words of 64 places that an expression needs, times one more than
  /// the different places from which it can go on elsewhere than at the next place.
  ///
  /// Each character that must match is a place, with all repetitions written out. An expression of up to 64 places always
  /// fits, and 1,024 places (``maximumPlaces``) do if they stand mostly one after the other, such as `[a-z]{1,1000}`.
  /// Matching a value of 4,096 characters then takes less than a millisecond.
  public static let maximumSize = 128
  /// How many characters an expression may match one after the other, with its repetitions written out.
  public static let maximumPlaces = 1_024
  /// How many characters an expression may have.
  public static let maximumLength = 500

  /// The expression.
  public let source: String
  /// The expression as the `pattern` attribute of HTML needs it.
  public let html: String
  private let automaton: PatternAutomaton

  /// Reads an expression, or `nil` if it is not one of these, or is too large.
  public init?(_ source: String) {
    guard case .success(let pattern) = Self.read(source) else { return nil }
    self = pattern
  }

  private init(_ source: String, _ node: PatternNode, _ automaton: PatternAutomaton) {
    self.source = source
    self.html = node.html
    self.automaton = automaton
  }

  /// Why a text is no expression.
  enum Refusal: Error {
    case invalid
    /// With what is too large about it.
    case tooLarge(String)
  }

  static func read(_ source: String) -> Result<Pattern, Refusal> {
    guard source.unicodeScalars.prefix(maximumLength + 1).count <= maximumLength else {
      return .failure(.tooLarge("it has more than \(maximumLength) characters"))
    }
    var parser = PatternParser(source)
    guard let node = parser.expression() else { return .failure(.invalid) }
    guard let automaton = PatternAutomaton(node) else {
      return .failure(.tooLarge("it has more than \(maximumPlaces) characters with its repetitions written out"))
    }
    guard automaton.size <= maximumSize else {
      return .failure(.tooLarge("its size is \(automaton.size), and \(maximumSize) at most can be matched in time"))
    }
    return .success(Pattern(source, node, automaton))
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.source == rhs.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
  public var description: String { source }

  /// How much work one character of a value is; at most ``maximumSize``.
  var size: Int { automaton.size }

  /// Whether all of `text` matches.
  public func matches(_ text: String) -> Bool { automaton.matches(text) }

  /// Whether there is a text that matches and has so many characters (Unicode code points).
  /// - Parameter alphabet: the characters of ASCII that it may consist of; by default all characters there are.
  func hasMatch(of lengths: ClosedRange<Int>, among alphabet: String? = nil) -> Bool {
    automaton.hasMatch(of: lengths, among: alphabet)
  }

  /// Whether there is a text of a shape that matches and has so many characters. Texts that are longer than
  /// ``TextShape/longest`` are not looked at, and taken for one.
  func hasMatch(of lengths: ClosedRange<Int>, in shape: TextShape) -> Bool {
    automaton.hasMatch(of: lengths, in: shape)
  }

  /// Whether there is a text that matches, is as long as two others of the same length, and comes between them in the
  /// order of its characters or is one of them. It has digits where they have digits, and is like them elsewhere.
  func hasMatch(between low: String, and high: String) -> Bool { automaton.hasMatch(between: low, and: high) }
}
