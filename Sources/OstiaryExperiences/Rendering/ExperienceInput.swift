/// What a form sent: entries for the fields of one showing of a screen, and the action that was chosen.
public struct ExperienceInput: Sendable {
  /// What was entered, by field. A toggle that is off is among them, though forms leave it out.
  public var entries: [String: String]
  /// The action's id.
  public var action: String
  /// The showing that the form was drawn for: ``ScreenSnapshot/turn``.
  public var turn: String

  /// Reads the pairs of a form that ``ExperiencePage`` drew for this screen. Other names are passed over; of several
  /// values of one name the first counts. Without an action it is the main one, as when Return was pressed.
  /// - Returns: `nil` when the form is of another screen or of an earlier showing of this one, as after a second click or a
  ///   step back, and when the screen has no such action. Draw what there is to draw now.
  public init?(_ pairs: [(name: String, value: String)], for screen: ScreenSnapshot) {
    var values: [String: String] = [:]
    for (name, value) in pairs where values[name] == nil { values[name] = value }
    guard values[ExperiencePage.turnName] == screen.turn,
      let chosen = values[ExperiencePage.actionName] ?? screen.mainAction?.id,
      screen.actions.contains(where: { $0.id == chosen })
    else { return nil }
    turn = screen.turn
    action = chosen
    entries = [:]
    for field in screen.fields where field.kind != .hidden {
      if field.kind == .toggle {
        entries[field.key] = values[field.key] ?? "false"
      } else if let value = values[field.key] {
        entries[field.key] = value
      }
    }
  }
}

extension ExperienceInput: CustomStringConvertible, CustomReflectable {
  /// The action and which fields there are. Entries may be passwords and are not shown.
  public var description: String { "\(action): \(entries.keys.sorted().joined(separator: ", "))" }
  public var customMirror: Mirror { Mirror(self, children: ["input": description], displayStyle: .struct) }
}

extension ExperienceRunner {
  /// Does what a form asks for, as one step, if the showing that it was drawn for is still the one that is shown.
  /// Otherwise nothing is done: the moment after is the one that the form which came first has led to.
  /// - Returns: The moment after, when the screen is not covered.
  @discardableResult
  public func submit(_ input: ExperienceInput) async -> ExperienceSnapshot {
    await submit(input.entries, with: input.action, drawnIn: input.turn)
  }
}
