internal import Foundation
internal import OstiaryCore

/// Makes what is drawn of a screen.
struct ScreenDrawing {
  let wording: Wording
  let property: (String) -> JSONValue?

  func draw(
    _ screen: Experience.Screen, turn: String, messages: [String], canGoBack: Bool, needsClose: Bool,
    entry: (Experience.Field) -> (text: String?, isFilled: Bool),
    fault: (Experience.Field) -> RunnerMachine.Fault?
  ) -> ScreenSnapshot {
    var actions = screen.actions.compactMap { draw($0, isRequired: screen.isRequired, canGoBack: canGoBack) }
    if needsClose {
      actions.append(
        ActionSnapshot(
          id: ScreenSnapshot.closeAction, label: wording.builtIn("dismiss"), style: .secondary, work: .move(.dismiss)))
    }
    return ScreenSnapshot(
      id: screen.id, turn: turn, title: text(screen.title), text: text(screen.text), messages: messages,
      fields: screen.fields.map { field in
        let (value, isFilled) = entry(field)
        return draw(field, value: value, isFilled: isFilled, fault: fault(field))
      },
      actions: actions,
      triggers: screen.triggers.map(\.name), isRequired: screen.isRequired, canGoBack: canGoBack,
      language: wording.language, isRightToLeft: wording.isRightToLeft,
      words: wording.words)
  }

  private func text(_ text: Experience.Text?) -> String? {
    text.map { wording.text($0, property) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func draw(
    _ field: Experience.Field, value: String?, isFilled: Bool, fault: RunnerMachine.Fault?
  ) -> FieldSnapshot {
    FieldSnapshot(
      key: field.key, kind: field.kind.known, label: text(field.label) ?? field.key,
      placeholder: text(field.placeholder), help: text(field.help),
      value: value.flatMap { $0.isEmpty ? nil : $0 }, isFilled: isFilled, isRequired: field.isRequired,
      isSecure: field.isSecure, constraints: field.constraints,
      options: field.options.map { FieldSnapshot.Option(value: $0.value, label: text($0.label) ?? $0.value) },
      autofill: field.autofill, message: fault.map { message($0, field) }, issue: fault.map(\.issue))
  }

  private func draw(_ action: Experience.Action, isRequired: Bool, canGoBack: Bool) -> ActionSnapshot? {
    let usual: String
    switch action.work {
    case .unknown: return nil
    case .move(.skip), .move(.skipScreen):
      guard !isRequired else { return nil }
      usual = wording.builtIn("skip")
    case .move(.back):
      guard canGoBack else { return nil }
      usual = wording.builtIn("back")
    case .move(.next): usual = wording.builtIn("next")
    case .move(.submit), .submitFields: usual = wording.builtIn("submit")
    case .move(.dismiss): usual = wording.builtIn("dismiss")
    case .move, .trigger: usual = wording.builtIn("more")
    case .provider(let name): usual = wording.builtIn("provider", ["provider": name.capitalized])
    case .requestPermission: usual = wording.builtIn("permission")
    }
    return ActionSnapshot(
      id: action.id, label: text(action.label) ?? usual, style: action.style, work: action.work)
  }

  /// A field's message: the app's for the field, the app's for all, the document's, Ostiary's.
  private func message(_ fault: RunnerMachine.Fault, _ field: Experience.Field) -> String {
    if case .refused(let own, let general) = fault, let message = own ?? general { return message }
    return text(field.error) ?? wording.text(fault.issue)
  }
}

extension RunnerMachine.Fault {
  var issue: FieldIssue {
    switch self {
    case .broken(let issue): issue
    case .refused: FieldIssue(.invalid)
    }
  }
}
