internal import OstiaryCore

extension RunnerMachine {
  /// Names what is drawn now: the flow, the screen and the turn.
  var turnName: String { "\(flow.id)/\(screen.id)/\(turn)" }

  /// Takes what a form sent, if the form was drawn in this turn.
  mutating func submit(_ entries: [String: String], with action: String, drawnIn turn: String) {
    guard turn == turnName else { return }
    submit(entries, with: action)
  }

  mutating func submit(_ entries: [String: String], with action: String) {
    for (key, entry) in entries { _ = enter(entry, in: key) }
    _ = perform(action: action)
  }

  /// Fills in what the user has not entered.
  mutating func fillIn() {
    for field in screen.fields where !field.isSecure {
      let fieldPlace = FieldPlace(place: place, key: field.key)
      guard entries[fieldPlace]?.isTouched != true else { continue }
      entries[fieldPlace] = initialText(of: field).map { Entry(content: .text($0), isTouched: false) }
    }
  }

  /// What a field begins with. Never anything for a secure one.
  func initialText(of field: Experience.Field) -> String? {
    field.initialText(in: wording) { entered[$0] ?? properties[$0] }
  }

  mutating func enter(_ text: String, in key: String) -> Bool {
    guard isActive, let field = screen.field(key), field.kind != .hidden else { return false }
    // One character more than any field takes is enough to say so.
    let longest = Experience.Field.longestValue + 1
    let text = text.utf8.count <= longest ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    // A form sends every field back, also those that the user has not touched. Two forms of a letter are equal as texts,
    // but another secret.
    let before = entries[FieldPlace(place: place, key: key)]?.reveal ?? ""
    guard !text.utf8.elementsEqual(before.utf8) else { return true }
    lastOrder += 1
    // A key names one field of the flow: what is entered on one screen stands on all that have it.
    for index in flow.screens.indices {
      guard let field = flow.screens[index].field(key), field.kind != .hidden else { continue }
      put(text, into: field, at: Place(flow: place.flow, screen: index))
    }
    if !field.isSecure { entered[field.property] = field.value(of: text, wording.numbers).property ?? .string("") }
    changed()
    return true
  }

  private mutating func put(_ text: String, into field: Experience.Field, at place: Place) {
    let fieldPlace = FieldPlace(place: place, key: field.key)
    let before = field.value(of: entries[fieldPlace]?.reveal, wording.numbers)
    if !before.isSame(as: field.value(of: text, wording.numbers)) { completed.remove(place) }
    entries[fieldPlace] = Entry(
      content: field.isSecure ? .secret(Secret(text)) : .text(text), isTouched: true, order: lastOrder)
  }
}

extension Experience.Field {
  /// What the field begins with. The document decides what a hidden field says; a property counts only where it says nothing.
  /// - Parameter wording: how the user writes numbers.
  func initialText(in wording: Wording, _ property: (String) -> JSONValue?) -> String? {
    guard !isSecure else { return nil }
    if kind == .hidden, let value { return value }
    let inherited = inherits.flatMap { wording.entry(Wording.plain(property($0)), for: self) }
    if let inherited, !inherited.isEmpty, fits(inherited) { return inherited }
    return wording.entry(value, for: self)
  }

  /// Whether a property can be put into the field: a choice that is none of the options can't be drawn.
  private func fits(_ text: String) -> Bool { kind != .choice || options.contains { $0.value == text } }

  /// An entry as a value of this kind, whether or not it would be accepted.
  /// - Parameter numbers: how the user writes numbers.
  func value(of entry: String?, _ numbers: NumberStyle) -> FieldValue {
    var plain = self
    plain.constraints = Experience.Constraints()
    return plain.check(entry, numbers).value
  }
}
