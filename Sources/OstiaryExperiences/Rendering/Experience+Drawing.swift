public import OstiaryCore

extension Experience {
  /// Draws a screen without a runner, for a caller that keeps the entries elsewhere, such as a server between two
  /// requests.
  /// - Parameters:
  ///   - entries: what was entered, by field. Those of secure fields are not shown.
  ///   - issues: which fields break which of their own rules: see ``check(_:on:of:languages:)``.
  ///   - result: what the app thinks of the fields. Messages for fields of other screens stand at the top.
  ///   - languages: what the user reads, the best first (BCP 47).
  ///   - properties: the user's properties.
  ///   - turn: how many forms the caller has taken before this one: see ``ScreenSnapshot/turn``.
  /// - Returns: `nil` when there is no such screen.
  public func draw(
    screen id: String, of flow: String, entries: [String: String] = [:], issues: [String: FieldIssue] = [:],
    result: ValidationResult = .valid, languages: [String] = [], properties: [String: JSONValue] = [:],
    canGoBack: Bool = false, turn: Int = 0
  ) -> ScreenSnapshot? {
    guard let place = place(of: id, in: flow) else { return nil }
    let screen = flows[place.flow].screens[place.screen]
    let wording = Wording(self, languages: languages)
    var faults: [String: RunnerMachine.Fault] = issues.mapValues { .broken($0) }
    var messages: [String] = []
    var isShown = false
    let result = result.worded { wording.text($0) }
    for (key, own) in result.fields.sorted(by: { $0.key < $1.key }) {
      if let field = screen.field(key), field.kind != .hidden {
        faults[key] = .refused(own, result.message)
        isShown = isShown || own == nil
      } else {
        let text = own ?? result.message ?? wording.builtIn("refused")
        isShown = isShown || text == result.message
        if !messages.contains(text) { messages.append(text) }
      }
    }
    if let message = result.message, !isShown { messages.insert(message, at: 0) }
    let drawing = ScreenDrawing(wording: wording) { name in
      let field = screen.fields.first { $0.property == name && !$0.isSecure }
      return field.flatMap { entries[$0.key] }.flatMap { $0.isEmpty ? nil : .string($0) } ?? properties[name]
    }
    // Back leads on only where the document has it.
    let hasBack = canGoBack && screen.actions.contains { $0.work == .move(.back) }
    return drawing.draw(
      screen, turn: "\(flow)/\(id)/\(turn)", messages: messages, canGoBack: canGoBack,
      needsClose: !hasBack && trapped.contains(place),
      entry: { field in
        let text =
          (field.kind == .hidden ? nil : entries[field.key]) ?? field.initialText(in: wording) { properties[$0] }
        return (field.isSecure ? nil : text, text.map { !$0.isEmpty } ?? false)
      },
      fault: { faults[$0.key] })
  }

  /// Checks entries against the rules of a screen's fields, as the runner does: all at once, one issue a field.
  /// - Parameters:
  ///   - entries: what was entered, by field; of other fields of the flow too, where one must match them.
  ///   - languages: what the user reads, the best first (BCP 47), as for drawing: numbers are read so. Without
  ///     any, they are read in the document's language, in which they are drawn then.
  /// - Returns: The fields that are not accepted, and the values of all. `nil` when there is no such screen.
  public func check(
    _ entries: [String: String], on screen: String, of flow: String, languages: [String] = []
  ) -> (issues: [String: FieldIssue], values: [String: FieldValue])? {
    guard let flow = self.flow(flow), let screen = flow.screen(screen) else { return nil }
    let numbers = languages.isEmpty ? NumberStyle(language) : Wording(self, languages: languages).numbers
    var issues: [String: FieldIssue] = [:]
    var values: [String: FieldValue] = [:]
    for field in screen.fields {
      // A hidden field's value is the document's, also when another was sent.
      let entry = Self.entry(of: field, entries)
      let (value, issue) = field.check(entry, numbers)
      values[field.key] = value
      guard field.kind != .hidden else { continue }
      if let issue {
        issues[field.key] = issue
      } else if let key = field.constraints.matches {
        let other = screen.field(key) ?? flow.fields.first { $0.key == key }
        let wanted = other.map { $0.value(of: Self.entry(of: $0, entries), numbers) } ?? .text("")
        if !field.value(of: entry, numbers).isSame(as: wanted) { issues[field.key] = FieldIssue(.mismatch) }
      }
    }
    return (issues, values)
  }

  private static func entry(of field: Field, _ entries: [String: String]) -> String? {
    field.kind == .hidden ? field.value : entries[field.key]
  }
}
