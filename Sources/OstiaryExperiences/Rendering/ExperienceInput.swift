/// What a form sent: entries for the fields of one screen, and the action that was chosen.
public struct ExperienceInput: Sendable {
  /// What was entered, by field. A toggle that is off is among them, though forms leave it out.
  public var entries: [String: String]
  /// The action's id.
  public var action: String

  /// Reads the pairs of a form that ``ExperiencePage`` drew for this screen. Other names are passed over; of several values
  /// of one name the first counts. Without an action it is the main one, as when Return was pressed.
  /// - Returns: `nil` when the screen has no such action.
  public init?(_ pairs: [(name: String, value: String)], for screen: ScreenSnapshot) {
    var values: [String: String] = [:]
    for (name, value) in pairs where values[name] == nil { values[name] = value }
    guard let chosen = values[ExperiencePage.actionName] ?? TerminalRenderer.mainAction(of: screen)?.id,
      screen.actions.contains(where: { $0.id == chosen })
    else { return nil }
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
