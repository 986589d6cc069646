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
      let label = wording.worded("dismiss")
      actions.append(
        ActionSnapshot(
          id: ScreenSnapshot.closeAction, label: label.text, style: .secondary, work: .move(.dismiss),
          language: other(label.language)))
    }
    var drawn = ScreenSnapshot(
      id: screen.id, turn: turn, messages: messages,
      fields: screen.fields.map { field in
        let (value, isFilled) = entry(field)
        return draw(field, value: value, isFilled: isFilled, fault: fault(field))
      },
      actions: actions,
      triggers: screen.triggers.map(\.name), isRequired: screen.isRequired, canGoBack: canGoBack,
      language: wording.language, isRightToLeft: wording.isRightToLeft,
      words: wording.words)
    drawn.title = text(screen.title, "title", &drawn.otherLanguages)
    drawn.text = text(screen.text, "text", &drawn.otherLanguages)
    for message in messages { drawn.messageLanguages[message] = other(wording.language(of: message)) }
    return drawn
  }

  private func text(_ text: Experience.Text?, _ part: String, _ languages: inout [String: String]) -> String? {
    guard let worded = worded(text) else { return nil }
    languages[part] = other(worded.language)
    return worded.text
  }

  private func worded(_ text: Experience.Text?) -> WordedText? {
    text.map { wording.worded($0, property) }.flatMap { $0.text.isEmpty ? nil : $0 }
  }

  /// A language, where it is not the screen's.
  private func other(_ language: String) -> String? { language == wording.language ? nil : language }

  private func draw(
    _ field: Experience.Field, value: String?, isFilled: Bool, fault: RunnerMachine.Fault?
  ) -> FieldSnapshot {
    var languages: [String: String] = [:]
    var drawn = FieldSnapshot(
      key: field.key, kind: field.kind.known, label: text(field.label, "label", &languages) ?? field.key,
      placeholder: text(field.placeholder, "placeholder", &languages), help: text(field.help, "help", &languages),
      value: value.flatMap { $0.isEmpty ? nil : $0 }, isFilled: isFilled, isRequired: field.isRequired,
      isSecure: field.isSecure, constraints: field.constraints, options: field.options.map { draw($0) },
      autofill: field.autofill, issue: fault.map(\.issue))
    if let message = fault.map({ message($0, field) }) {
      drawn.message = message.text
      languages["message"] = other(message.language)
    }
    drawn.otherLanguages = languages
    if field.kind == .number { drawn.decimalSeparator = wording.numbers.decimalSeparator }
    return drawn
  }

  private func draw(_ option: Experience.Field.Option) -> FieldSnapshot.Option {
    let label = worded(option.label)
    var drawn = FieldSnapshot.Option(value: option.value, label: label?.text ?? option.value)
    drawn.language = label.flatMap { other($0.language) }
    return drawn
  }

  private func draw(_ action: Experience.Action, isRequired: Bool, canGoBack: Bool) -> ActionSnapshot? {
    let usual: String
    var values: [String: String] = [:]
    switch action.work {
    case .unknown: return nil
    case .move(.skip), .move(.skipScreen):
      guard !isRequired else { return nil }
      usual = "skip"
    case .move(.back):
      guard canGoBack else { return nil }
      usual = "back"
    case .move(.next): usual = "next"
    case .move(.submit), .submitFields: usual = "submit"
    case .move(.dismiss): usual = "dismiss"
    case .move, .trigger: usual = "more"
    case .provider(let name): (usual, values) = ("provider", ["provider": name.capitalized])
    case .requestPermission: usual = "permission"
    }
    let label = worded(action.label) ?? wording.worded(usual, values)
    return ActionSnapshot(
      id: action.id, label: label.text, style: action.style, work: action.work, language: other(label.language))
  }

  /// A field's message: the app's for the field, the app's for all, the document's, Ostiary's.
  private func message(_ fault: RunnerMachine.Fault, _ field: Experience.Field) -> WordedText {
    if case .refused(let own, let general) = fault, let message = own ?? general {
      return WordedText(text: message, language: wording.language(of: message))
    }
    return worded(field.error) ?? wording.worded(fault.issue)
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
