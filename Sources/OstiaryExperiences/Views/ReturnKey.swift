/// What the return key does in a line of text: it leads to the next one and, in the last one, does what the main action does.
public enum ReturnKey: Sendable, Hashable {
  /// It moves to the field with this key.
  case next(String)
  /// It performs the action with this id.
  case perform(String)
  /// It closes the keyboard.
  case done
}

extension ScreenSnapshot {
  /// What the return key does in a field of this screen.
  ///
  /// It performs no action that leaves what was typed behind: a page of HTML sends its form then, too.
  public func returnKey(in key: String) -> ReturnKey {
    let typed = fields.filter(\.isTyped)
    if let place = typed.firstIndex(where: { $0.key == key }), typed.indices.contains(place + 1) {
      return .next(typed[place + 1].key)
    }
    guard let main = mainAction, main.submits else { return .done }
    return .perform(main.id)
  }
}

extension FieldSnapshot {
  /// Whether a keyboard fills it in.
  fileprivate var isTyped: Bool {
    switch control {
    case .text, .secret: true
    case .hidden, .toggle, .options, .calendar: false
    }
  }
}
