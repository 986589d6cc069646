/// What texts of a kind look like, as a machine that reads them from its first state on. It reads every text of the kind,
/// and may read others.
struct TextShape: Sendable {
  /// What leads from one state to another.
  struct Step: Sendable {
    let from: Int
    let to: Int
    /// The characters of ASCII that lead there.
    let characters: String
    /// Whether all other characters do, too.
    let takesOthers: Bool

    init(_ from: Int, _ to: Int, _ characters: String, others: Bool = false) {
      self.from = from
      self.to = to
      self.characters = characters
      takesOthers = others
    }
  }

  /// How many characters of a text are looked at.
  static let longest = 300

  let steps: [Step]
  /// The states that a text may end in.
  let ends: Set<Int>

  var states: Int { (steps.map { max($0.from, $0.to) }.max() ?? 0) + 1 }

  private static let digits = "0123456789"
  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

  /// E-mail addresses: a name, one `@`, and labels with points between them.
  static let address: TextShape = {
    let label = letters + digits
    let name = label + ".!#$%&'*+/=?^_`{|}~-"
    return TextShape(
      steps: [
        Step(0, 1, name, others: true), Step(1, 1, name, others: true), Step(1, 2, "@"),
        // A label neither begins nor ends with a hyphen.
        Step(2, 3, label, others: true), Step(3, 3, label, others: true), Step(3, 2, "."), Step(3, 4, "-"),
        Step(4, 4, "-"), Step(4, 3, label, others: true),
      ], ends: [3])
  }()

  /// Lines of text, which neither begin nor end with a space.
  static let line: TextShape = {
    let spaces = "\t\n\u{B}\u{C}\r "
    let ascii = (0..<128).map { Unicode.Scalar(UInt8($0)) }
    let seen = String(String.UnicodeScalarView(ascii.filter { !spaces.unicodeScalars.contains($0) }))
    return TextShape(
      steps: [
        Step(0, 1, seen, others: true), Step(1, 1, seen, others: true), Step(1, 2, spaces), Step(2, 2, spaces),
        Step(2, 1, seen, others: true),
      ], ends: [1])
  }()

  /// How a number that is not whole is written, once it was read: see ``NumberStyle``.
  enum NumberForm {
    case decimals, exponent
  }

  static func number(_ form: NumberForm, isNegative: Bool) -> TextShape {
    let begin = isNegative ? [Step(0, 7, "-"), Step(7, 1, digits)] : [Step(0, 1, digits)]
    let rest = [
      Step(1, 1, digits), Step(1, 2, "."), Step(2, 3, digits), Step(3, 3, digits), Step(1, 4, "e"), Step(3, 4, "e"),
      Step(4, 5, "+-"), Step(4, 6, digits), Step(5, 6, digits), Step(6, 6, digits),
    ]
    return TextShape(steps: begin + rest, ends: [form == .decimals ? 3 : 6])
  }
}
