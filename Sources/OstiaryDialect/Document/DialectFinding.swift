/// A problem while it is looked for.
struct DialectFinding: Hashable {
  /// What a problem means for what is found after it.
  enum Kind: Hashable {
    /// A part has not its shape, and is read as if it were not there.
    case shape
    /// Something is there that is not read. Everything else is as it would be without.
    case harmless
    /// A name that nothing gives a value, or a role that is not there.
    case unknownName
    /// Parts contradict each other.
    case content
  }

  let place: [String]
  let message: String
  let advice: String
  let kind: Kind
  /// The part that is read as if it were not there: the place, or a member of it that is missing.
  let part: [String]

  /// The most problems that are reported of one document.
  static let most = 1000

  init(
    _ place: [String], _ message: String, _ advice: String, _ kind: Kind = .content, part: [String]? = nil
  ) {
    self.place = place
    self.message = message
    self.advice = advice
    self.kind = kind
    self.part = part ?? place
  }

  /// The same at another place.
  func moved(to place: [String]) -> DialectFinding {
    DialectFinding(place, message, advice, kind)
  }

  /// The problem, for the author.
  var problem: DialectProblem {
    DialectProblem(at: DialectPointer(parts: place).text, message, advice: advice)
  }

  /// Names for a sentence.
  static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "nothing" }
    guard names.count <= 20 else { return names.prefix(20).joined(separator: ", ") + " and others" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// A name of the author's, in a length that fits a sentence.
  static func shown(_ name: String) -> String {
    name.utf8.count <= DialectPointer.maximumShownName ? name : String(name.prefix(32)) + "…"
  }
}
