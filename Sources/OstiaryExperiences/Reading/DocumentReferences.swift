internal import OstiaryCore

/// Checks what the parts of a document say about each other. Places are found again in the tree of values, because a part
/// that could not be read leaves a gap in the experience.
struct DocumentReferences {
  private let experience: Experience
  private let log: DocumentLog

  init(_ experience: Experience, _ log: DocumentLog) {
    self.experience = experience
    self.log = log
  }

  private func problem(_ path: String, _ code: ExperienceProblem.Code, _ message: String) {
    log.add(ExperienceProblem(path: path, code: code, message: message))
  }

  func check() {
    unique(experience.flows.enumerated().map { ("$.flows[\($0)].id", $1.id) }, "flow of this id")
    for (index, flow) in experience.flows.enumerated() { check(flow, "$.flows[\(index)]") }
    checkTranslations()
  }

  private func unique(_ names: [(path: String, name: String)], _ what: String) {
    var seen: Set<String> = []
    for (path, name) in names where !name.isEmpty && !seen.insert(name).inserted {
      problem(path, .duplicate, "There is another \(what).")
    }
  }

  private func check(_ flow: Experience.Flow, _ path: String) {
    unique(flow.screens.enumerated().map { ("\(path).screens[\($0)].id", $1.id) }, "screen of this id in the flow")
    if let move = flow.onSuccess {
      check(move, flow, "\(path).onSuccess")
      switch move {
      case .dismiss, .goToFlow, .goToScreen: break
      default:
        problem(
          "\(path).onSuccess", .contradiction, "A flow that has succeeded can lead to a flow or screen, or be closed.")
      }
      if flow.kind == .login || flow.kind == .signUp {
        problem("\(path).onSuccess", .contradiction, "A log-in or sign-up that has succeeded closes the experience.")
      }
    }
    let keys = Set(flow.fields.map(\.key))
    var secure: [String: Bool] = [:]
    for (index, screen) in flow.screens.enumerated() {
      let path = "\(path).screens[\(index)]"
      check(screen, in: flow, path)
      for (index, field) in screen.fields.enumerated() {
        let path = "\(path).fields[\(index)]"
        if let other = field.constraints.matches, !keys.contains(other) || other == field.key {
          problem("\(path).constraints.matches", .unknownReference, "No other field of the flow has this key.")
        }
        if let isSecure = secure.updateValue(field.isSecure, forKey: field.key), isSecure != field.isSecure {
          problem("\(path).key", .contradiction, "A field with this key is secure on one screen and not on another.")
        }
      }
    }
  }

  private func check(_ screen: Experience.Screen, in flow: Experience.Flow, _ path: String) {
    unique(screen.fields.enumerated().map { ("\(path).fields[\($0)].key", $1.key) }, "field of this key on the screen")
    unique(
      screen.actions.enumerated().map { ("\(path).actions[\($0)].id", $1.id) }, "action of this id on the screen")
    unique(
      screen.triggers.enumerated().map { ("\(path).triggers[\($0)].name", $1.name) },
      "trigger of this name on the screen")
    check(screen.title, "\(path).title")
    check(screen.text, "\(path).text")
    for (index, trigger) in screen.triggers.enumerated() {
      trigger.onSuccess.map { check($0, flow, "\(path).triggers[\(index)].onSuccess") }
      trigger.onFailure.map { check($0, flow, "\(path).triggers[\(index)].onFailure") }
    }
    for (index, field) in screen.fields.enumerated() { check(field, "\(path).fields[\(index)]") }
    for (index, action) in screen.actions.enumerated() {
      check(action, on: screen, of: flow, "\(path).actions[\(index)]")
    }
  }

  private func check(_ field: Experience.Field, _ path: String) {
    check(field.label, "\(path).label")
    check(field.placeholder, "\(path).placeholder")
    check(field.help, "\(path).help")
    check(field.error, "\(path).error")
    unique(
      field.options.enumerated().map { ("\(path).options[\($0)]", $1.value) }, "option of this value in the field")
    for (index, option) in field.options.enumerated() { check(option.label, "\(path).options[\(index)].label") }
    guard let value = field.value, !value.isEmpty else { return }
    var optional = field
    optional.isRequired = false
    if let issue = optional.check(value).issue {
      problem("\(path).value", .contradiction, "The field would not accept this value (\(issue.code)).")
    }
  }

  private func check(
    _ action: Experience.Action, on screen: Experience.Screen, of flow: Experience.Flow, _ path: String
  ) {
    check(action.label, "\(path).label")
    switch action.work {
    case .move(let move): check(move, flow, path)
    case .submitFields(let keys, let onSuccess):
      for (index, key) in (keys ?? []).enumerated() where screen.field(key) == nil {
        problem("\(path).fields[\(index)]", .unknownReference, "No field of this screen has this key.")
      }
      onSuccess.map { check($0, flow, "\(path).onSuccess") }
    case .trigger(let name):
      if screen.trigger(name) == nil {
        problem("\(path).trigger", .unknownReference, "The screen has no trigger of this name.")
      }
    case .requestPermission(_, let onSuccess, let onFailure):
      onSuccess.map { check($0, flow, "\(path).onSuccess") }
      onFailure.map { check($0, flow, "\(path).onFailure") }
    case .provider, .unknown: break
    }
  }

  private func check(_ move: Experience.Move, _ flow: Experience.Flow, _ path: String) {
    switch move {
    case .goToFlow(let id):
      if experience.flow(id) == nil { problem("\(path).flow", .unknownReference, "There is no flow of this id.") }
    case .goToScreen(let id):
      if flow.screen(id) == nil {
        problem("\(path).screen", .unknownReference, "The flow has no screen of this id.")
      }
    default: break
    }
  }

  private func check(_ text: Experience.Text?, _ path: String) {
    guard case .key(let key, _) = text else { return }
    if experience.texts[experience.language]?[key] == nil {
      problem("\(path).key", .unknownReference, "There is no text of this key in \(experience.language).")
    }
  }

  /// A translation of what is not there in the document's language is never shown.
  private func checkTranslations() {
    for (language, table) in experience.texts.sorted(by: { $0.key < $1.key }) where language != experience.language {
      for key in table.keys.sorted()
      where experience.texts[experience.language]?[key] == nil && !BuiltInTexts.isKey(key) {
        log.notice(
          ExperienceProblem(
            path: "$.texts['\(language)']['\(key)']", code: .unknownReference,
            message: "There is no text of this key in \(experience.language)."))
      }
    }
  }
}
