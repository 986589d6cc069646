internal import OstiaryCore

/// Shows a screen and asks for its fields, until an action is chosen.
struct TerminalQuestions {
  /// What a screen comes to.
  enum Answer {
    case action(String)
    /// The input has ended.
    case end
  }

  private enum FieldAnswer {
    case entered
    case chosen(TerminalChoices.Work)
    case end
  }

  private let screen: ScreenSnapshot
  private let runner: ExperienceRunner
  private let terminal: any ExperienceTerminal
  /// The fields that were answered since the screen was drawn.
  private var answered: Set<String> = []

  init(_ screen: ScreenSnapshot, _ runner: ExperienceRunner, _ terminal: any ExperienceTerminal) {
    self.screen = screen
    self.runner = runner
    self.terminal = terminal
  }

  /// The terminal's width may change at any time.
  private var writer: TerminalWriter { TerminalWriter(terminal.layout, isRightToLeft: screen.isRightToLeft) }

  /// Shows the screen without its fields.
  func show() async throws {
    var text = "\n"
    if let title = screen.title { text += writer.heading(title) }
    if let body = screen.text { text += writer.text(body) }
    try await terminal.show(text + writer.row(TerminalChoices.rows(of: screen)))
  }

  /// Asks for the fields and then, unless the main action takes them along, for it.
  /// - Parameter onlyRefused: whether only the fields with a message are asked for.
  mutating func ask(onlyRefused: Bool) async throws -> Answer {
    for message in screen.messages { try await terminal.show(writer.line("! ", message)) }
    let fields = screen.fields.filter { $0.kind != .hidden }
    var waiting = fields.filter { !onlyRefused || $0.message != nil }.map(\.key)
    while let key = waiting.first, let field = field(key) {
      let earlier = fields.filter { !waiting.contains($0.key) }
      switch try await ask(field, TerminalChoices(screen, at: field, earlier: earlier)) {
      case .entered: answered.insert(waiting.removeFirst())
      case .chosen(.clear):
        runner.enter("", in: key, drawnIn: screen.turn)
        answered.insert(waiting.removeFirst())
      case .chosen(.field(let earlier)): waiting.insert(earlier, at: 0)
      case .chosen(.action(let id)): return .action(id)
      case .end: return .end
      }
    }
    guard let main = screen.mainAction else { return .end }
    if !fields.isEmpty, main.submits { return .action(main.id) }
    return try await confirm(main)
  }

  /// The field as it is now: what was just entered is in it.
  private func field(_ key: String) -> FieldSnapshot? {
    let now = runner.snapshot.screen
    guard var field = (now.turn == screen.turn ? now : screen).fields.first(where: { $0.key == key }) else {
      return nil
    }
    // What was wrong has been answered.
    if answered.contains(key) { field.message = nil }
    return field
  }

  /// Waits for Return, or another choice.
  private func confirm(_ main: ActionSnapshot) async throws -> Answer {
    let choices = TerminalChoices(screen)
    while true {
      let label = writer.part(TerminalWriter.plain(main.label))
      guard let line = try await readLine(after: "\(label) [Return]:") else { return .end }
      if line.isEmpty { return .action(main.id) }
      switch choices.read(line, isSecret: false) {
      case .choice(.action(let id)): return .action(id)
      case .list:
        switch try await list(choices, isSecret: false) {
        case .choice(.action(let id))?: return .action(id)
        case nil: return .end
        default: break
        }
      default: try await terminal.show(writer.line("! ", screen.words.choose))
      }
    }
  }

  /// - Returns: The line, or `nil` at the end of input.
  private func readLine(after question: String, for field: FieldSnapshot? = nil) async throws -> String? {
    let (before, last) = writer.question(question)
    if !before.isEmpty { try await terminal.show(before) }
    let prompt = TerminalPrompt(text: last, isSecret: field?.isSecure ?? false, field: field?.key)
    return try await terminal.ask(prompt)?.reveal()
  }

  // MARK: One field

  private func ask(_ field: FieldSnapshot, _ choices: TerminalChoices) async throws -> FieldAnswer {
    var text = field.message.map { writer.line("! ", $0) } ?? ""
    if let help = field.help { text += writer.line("  ", help) }
    if field.kind == .choice { text += writer.options(field.options.map(\.label)) }
    if field.isSecure {
      if !choices.all.isEmpty { text += writer.list([("[:]", screen.words.others)]) }
    } else if field.canBeCleared {
      text += writer.list([("[:0]", screen.words.clear)])
    }
    if !text.isEmpty { try await terminal.show(text) }
    while true {
      guard let line = try await readLine(after: writer.prompt(for: field, screen.words), for: field) else {
        return .end
      }
      var reading = choices.read(line, isSecret: field.isSecure)
      if reading == .unknown { try await terminal.show(writer.line("! ", screen.words.choose)) }
      if reading == .list || reading == .unknown {
        guard let chosen = try await list(choices, isSecret: field.isSecure) else { return .end }
        reading = chosen
      }
      switch reading {
      case .choice(let work): return .chosen(work)
      case .value(let value): if try await enter(value, into: field) { return .entered }
      case .list, .unknown: break
      }
    }
  }

  /// Lists what can be chosen, and asks.
  /// - Returns: ``TerminalChoices/Reading/list`` for the question again; `nil` at the end of input.
  private func list(_ choices: TerminalChoices, isSecret: Bool) async throws -> TerminalChoices.Reading? {
    var rows = choices.all.map { (mark: "[\($0.number)]", text: $0.label) }
    if !isSecret { rows.append((mark: "[::]", text: ":")) }
    try await terminal.show(writer.list(rows + [(mark: "[Return]", text: screen.words.back)]))
    while true {
      guard let line = try await readLine(after: "\(TerminalWriter.plain(screen.words.choose)):") else { return nil }
      let reading = choices.readInList(line, isSecret: isSecret)
      if reading != .unknown { return reading }
      try await terminal.show(writer.line("! ", screen.words.choose))
    }
  }

  /// - Returns: Whether the field can have the value. What is wrong with it otherwise the runner tells, later.
  private func enter(_ value: String, into field: FieldSnapshot) async throws -> Bool {
    // Nothing keeps what is there; a secret that was refused has to be entered again.
    guard !value.isEmpty || field.isSecure && field.message != nil else { return true }
    guard let entry = field.entry(typed: value, screen.words) else {
      let allowed =
        field.kind == .toggle ? [screen.words.yes, screen.words.no] : field.options.map(\.label)
      let text = "\(screen.words.choose): \(allowed.joined(separator: ", "))"
      try await terminal.show(writer.line("! ", text))
      return false
    }
    runner.enter(entry, in: field.key, drawnIn: screen.turn)
    return true
  }
}

extension FieldSnapshot {
  /// What was typed as the field's value: for choices also a number or a label, for toggles words in the user's
  /// language.
  fileprivate func entry(typed text: String, _ words: ScreenSnapshot.Words) -> String? {
    switch kind {
    case .choice:
      let label = InputText.name(text)
      if let option = options.first(where: { $0.label == text || $0.label == label }) { return option.value }
      // What is shown goes first: the value of one option may be the number of another.
      if let number = Int(InputText.narrow(text)), number >= 1, number <= options.count {
        return options[number - 1].value
      }
      return options.first { $0.value == text || $0.value == label }?.value
    case .toggle:
      let word = InputText.narrow(text)
      if Self.isSame(word, words.yes) || Self.isSame(word, "y") || Experience.Field.isOn(word) { return "true" }
      return [words.no, "n", "no", "false", "off", "0"].contains { Self.isSame(word, $0) } ? "false" : nil
    default: return text
    }
  }

  /// Whether a word is another one in small or large letters. HAYIR is hayır in large letters only: its I is the small i
  /// of other languages.
  private static func isSame(_ word: String, _ other: String) -> Bool {
    let other = InputText.narrow(other)
    return word.lowercased() == other.lowercased() || word.uppercased() == other.uppercased()
  }
}

extension TerminalWriter {
  /// The options of a choice, by number.
  fileprivate func options(_ labels: [String]) -> String {
    let width = String(labels.count).utf8.count
    return list(
      labels.enumerated().map { index, label in
        let number = String(index + 1)
        return ("  \(String(repeating: " ", count: width - number.utf8.count))\(number))", label)
      })
  }

  fileprivate func prompt(for field: FieldSnapshot, _ words: ScreenSnapshot.Words) -> String {
    var text = part(Self.plain(field.label))
    // Documents have words of their own in place of Ostiary's.
    if !field.isRequired, field.kind != .toggle { text += " (\(Self.plain(words.optional)))" }
    if field.kind == .toggle {
      let (yes, no) = (Self.plain(words.yes), Self.plain(words.no))
      text += " (\(yes)/\(no)) [\(field.isOn ? yes : no)]"
    } else if field.isSecure {
      if field.isFilled { text += " [***]" }
    } else if let value = field.value {
      let label = field.options.first { $0.value == value }?.label ?? value
      text += " [\(part(Self.plain(label)))]"
    } else if let placeholder = field.placeholder {
      text += " (\(part(Self.plain(placeholder))))"
    }
    return text + ":"
  }
}
