public import OstiaryCore

/// Runs an experience on a terminal, line by line, so that it also works when its input and output are pipes.
///
/// Fields are asked for one after the other; a line left empty keeps what stands in brackets. A colon and a number chooses
/// another action at any question that is not secret (`::` begins a value with a colon). What is wrong stands above the
/// question that is asked again. The end of input closes the experience.
public struct TerminalRenderer: ExperienceRenderer {
  private let terminal: any ExperienceTerminal

  /// Makes a renderer for a terminal.
  public init(_ terminal: any ExperienceTerminal) {
    self.terminal = terminal
  }

  public func run(_ runner: ExperienceRunner) async throws -> ExperienceOutcome {
    runner.present()
    var shown: ShownScreen?
    while true {
      let moment = await runner.settled()
      try Task.checkCancellation()
      if moment.outcome != nil { return try await runner.outcome() }
      if case .paused = moment.phase {
        try await waitForResumption(of: runner)
        continue
      }
      let screen = moment.screen
      let current = ShownScreen(flow: moment.flow, screen: screen.id)
      if shown != current { try await show(screen) }
      // After a refusal, only what was refused is asked again.
      let isRepeated = shown == current && screen.fields.contains { $0.message != nil }
      shown = current
      for message in screen.messages { try await terminal.show("! \(Self.plain(message))\n") }
      switch try await askFields(of: screen, onlyRefused: isRepeated, runner) {
      case .action(let id): try await perform(id, runner, screen)
      case .end: runner.dismiss()
      case .entered: try await finish(screen, runner)
      }
    }
  }

  private struct ShownScreen: Equatable {
    let flow: String
    let screen: String
  }

  private enum Answer {
    case entered
    case action(String)
    case end
  }

  private func waitForResumption(of runner: ExperienceRunner) async throws {
    for await moment in runner.snapshots() {
      if case .paused = moment.phase { continue }
      return
    }
    try Task.checkCancellation()
  }

  // MARK: The screen

  private func show(_ screen: ScreenSnapshot) async throws {
    var text = "\n"
    if let title = screen.title {
      let title = Self.plain(title)
      text += "\(title)\n\(String(repeating: "=", count: min(title.count, 72)))\n"
    }
    if let body = screen.text { text += Self.plain(body, keepsLines: true) + "\n" }
    let others = Self.choices(of: screen)
    if !others.isEmpty {
      text += others.map { "[:\($0.number)] \($0.label)" }.joined(separator: "  ") + "\n"
    }
    try await terminal.show(text)
  }

  /// The action that Return stands for: the first that submits and stands out, or the first at all.
  static func mainAction(of screen: ScreenSnapshot) -> ActionSnapshot? {
    screen.actions.first { $0.style == .primary && $0.submits } ?? screen.actions.first { $0.submits }
      ?? screen.actions.first
  }

  /// The other actions, by number.
  private static func choices(of screen: ScreenSnapshot) -> [(number: Int, id: String, label: String)] {
    let main = mainAction(of: screen)
    return screen.actions.filter { $0.id != main?.id }.enumerated()
      .map { (number: $0 + 1, id: $1.id, label: plain($1.label)) }
  }

  private static func choice(_ line: String, of screen: ScreenSnapshot) -> String? {
    guard line.hasPrefix(":"), !line.hasPrefix("::") else { return nil }
    let name = line.dropFirst()
    let choices = choices(of: screen)
    return choices.first { String($0.number) == name || $0.id == name }?.id
  }

  // MARK: Fields

  private func askFields(
    of screen: ScreenSnapshot, onlyRefused: Bool, _ runner: ExperienceRunner
  ) async throws -> Answer {
    for field in screen.fields where field.kind != .hidden && (!onlyRefused || field.message != nil) {
      if let message = field.message { try await terminal.show("! \(Self.plain(message))\n") }
      if let help = field.help { try await terminal.show("  \(Self.plain(help))\n") }
      try await showOptions(of: field)
      while true {
        let prompt = TerminalPrompt(
          text: Self.prompt(for: field, screen.words), isSecret: field.isSecure, field: field.key)
        guard let line = try await terminal.ask(prompt)?.reveal() else { return .end }
        if !field.isSecure, let action = Self.choice(line, of: screen) { return .action(action) }
        let value = !field.isSecure && line.hasPrefix("::") ? String(line.dropFirst()) : line
        // Nothing keeps what is there; a secret that was refused has to be entered again.
        guard !value.isEmpty || field.isSecure && field.message != nil else { break }
        if let entry = Self.entry(value, for: field, screen.words) {
          runner.enter(entry, in: field.key, drawnIn: screen.turn)
          break
        }
        try await terminal.show("! \(screen.words.choose): \(Self.allowed(for: field, screen.words))\n")
      }
    }
    return .entered
  }

  private func showOptions(of field: FieldSnapshot) async throws {
    guard field.kind == .choice else { return }
    let lines = field.options.enumerated().map { "  \($0 + 1)) \(Self.plain($1.label))\n" }
    try await terminal.show(lines.joined())
  }

  private static func prompt(for field: FieldSnapshot, _ words: ScreenSnapshot.Words) -> String {
    var text = plain(field.label)
    if !field.isRequired, field.kind != .toggle { text += " (\(words.optional))" }
    if field.kind == .toggle {
      text += " (\(words.yes)/\(words.no)) [\(field.isOn ? words.yes : words.no)]"
    } else if field.isSecure {
      if field.isFilled { text += " [***]" }
    } else if let value = field.value {
      let label = field.options.first { $0.value == value }?.label ?? value
      text += " [\(plain(label))]"
    } else if let placeholder = field.placeholder {
      text += " (\(plain(placeholder)))"
    }
    return text + ": "
  }

  /// What was typed as a field's value: for choices also a number or a label, for toggles words in the user's language.
  private static func entry(_ text: String, for field: FieldSnapshot, _ words: ScreenSnapshot.Words) -> String? {
    switch field.kind {
    case .choice:
      if let option = field.options.first(where: { $0.value == text || $0.label == text }) { return option.value }
      guard let number = Int(text), field.options.indices.contains(number - 1) else { return nil }
      return field.options[number - 1].value
    case .toggle:
      let word = text.lowercased()
      if word == words.yes.lowercased() || word == "y" || Experience.Field.isOn(word) { return "true" }
      return [words.no.lowercased(), "n", "no", "false", "off", "0"].contains(word) ? "false" : nil
    default: return text
    }
  }

  private static func allowed(for field: FieldSnapshot, _ words: ScreenSnapshot.Words) -> String {
    field.kind == .toggle ? "\(words.yes), \(words.no)" : field.options.map { plain($0.label) }.joined(separator: ", ")
  }

  // MARK: Actions

  /// Goes on when every field was asked for.
  private func finish(_ screen: ScreenSnapshot, _ runner: ExperienceRunner) async throws {
    guard let main = Self.mainAction(of: screen) else {
      runner.dismiss()
      return
    }
    let hasFields = screen.fields.contains { $0.kind != .hidden }
    guard !(hasFields && main.submits) else { return try await perform(main.id, runner, screen) }
    while true {
      guard let line = try await terminal.ask(TerminalPrompt(text: "\(Self.plain(main.label)) [Return]: "))?.reveal()
      else {
        runner.dismiss()
        return
      }
      if line.isEmpty { return try await perform(main.id, runner, screen) }
      if let action = Self.choice(line, of: screen) { return try await perform(action, runner, screen) }
      try await terminal.show("! \(screen.words.choose)\n")
    }
  }

  private func perform(_ action: String, _ runner: ExperienceRunner, _ screen: ScreenSnapshot) async throws {
    guard runner.performing(action, drawnIn: screen.turn)?.isWaiting == true else { return }
    try await terminal.show(Self.plain(screen.words.waiting) + "\n")
  }

  /// Text that can't move the cursor, change colours or reorder a line: control characters and the marks for embedding
  /// directions are left out. Documents and properties come from elsewhere.
  static func plain(_ text: String, keepsLines: Bool = false) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where keepsLines: plain.append(scalar)
      case "\n", "\t", "\r": plain.append(" ")
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{2028}", "\u{2029}":
        continue
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): continue
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }
}

/// A terminal, or what stands in for one: lines out, lines in.
public protocol ExperienceTerminal: Sendable {
  /// Shows lines. They hold no control characters but line feeds, and end with one.
  func show(_ text: String) async throws

  /// Asks for a line.
  /// - Returns: What was entered, without its end; `nil` at the end of input.
  func ask(_ prompt: TerminalPrompt) async throws -> Secret?
}

/// A question for one line.
public struct TerminalPrompt: Sendable, Hashable {
  /// What to show before the cursor.
  public var text: String
  /// Whether what is typed must not be shown.
  public var isSecret: Bool
  /// The field that is asked for; `nil` for an action.
  public var field: String?

  /// Makes a prompt.
  public init(text: String, isSecret: Bool = false, field: String? = nil) {
    self.text = text
    self.isSecret = isSecret
    self.field = field
  }
}
