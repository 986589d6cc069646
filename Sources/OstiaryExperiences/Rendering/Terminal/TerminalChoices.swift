/// What can be chosen at a question instead of an answer, and how lines are read there.
///
/// At an open question a colon and a number (or an action's id) chooses, a colon alone opens the list, and two colons
/// begin a value with a colon. What is typed at a secret question is a secret, but for a colon alone,
/// which opens the list there too; a secret of colons alone is typed with one more.
struct TerminalChoices {
  enum Work: Equatable {
    case action(String)
    /// Empties the field.
    case clear
    /// Answers an earlier question of the screen again.
    case field(String)
  }

  struct Choice {
    let number: Int
    let label: String
    let work: Work
    /// What it can be called besides its number.
    var id: String?
  }

  /// What a line is.
  enum Reading: Equatable {
    case value(String)
    case choice(Work)
    case list
    /// It chooses something that is not there.
    case unknown
  }

  let all: [Choice]

  /// - Parameters:
  ///   - field: the field that is asked for, if one is.
  ///   - earlier: the fields that can be answered again.
  init(_ screen: ScreenSnapshot, at field: FieldSnapshot? = nil, earlier: [FieldSnapshot] = []) {
    var all: [Choice] = []
    if let field, field.canBeCleared { all.append(Choice(number: 0, label: screen.words.clear, work: .clear)) }
    let actions = Self.actions(of: screen)
    all += actions.enumerated().map {
      Choice(number: $0 + 1, label: $1.label, work: .action($1.id), id: $1.id)
    }
    all += earlier.enumerated().map { Choice(number: actions.count + $0 + 1, label: $1.label, work: .field($1.key)) }
    self.all = all
  }

  /// The actions besides the main one, which Return stands for.
  private static func actions(of screen: ScreenSnapshot) -> [ActionSnapshot] {
    let main = screen.mainAction
    return screen.actions.filter { $0.id != main?.id }
  }

  /// How a screen lists its actions.
  static func rows(of screen: ScreenSnapshot) -> [(mark: String, text: String)] {
    actions(of: screen).enumerated().map { ("[:\($0 + 1)]", $1.label) }
  }

  /// Reads a line that was typed at a question.
  func read(_ line: String, isSecret: Bool) -> Reading {
    if line == ":" { return .list }
    if isSecret {
      return .value(line.utf8.allSatisfy { $0 == UInt8(ascii: ":") } ? String(line.dropFirst()) : line)
    }
    guard line.hasPrefix(":") else { return .value(line) }
    return line.hasPrefix("::") ? .value(String(line.dropFirst())) : choice(String(line.dropFirst()))
  }

  /// Reads a line that was typed below the list, where a colon is not needed. What is typed there is seen, so it is no
  /// secret.
  func readInList(_ line: String, isSecret: Bool) -> Reading {
    if line.isEmpty { return .list }
    if !isSecret, line.hasPrefix("::") { return read(line, isSecret: false) }
    return choice(line.hasPrefix(":") ? String(line.dropFirst()) : line)
  }

  private func choice(_ name: String) -> Reading {
    // Digits of other scripts and widths are numbers too, and spaces around them are nothing.
    let name = InputText.narrow(name)
    return all.first { String($0.number) == name || $0.id == name }.map { .choice($0.work) } ?? .unknown
  }
}

extension FieldSnapshot {
  /// Whether something stands in the field that need not.
  var canBeCleared: Bool { isFilled && !isRequired && kind != .toggle }
}
