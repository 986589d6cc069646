internal import Foundation
internal import OstiaryCore

extension RunnerMachine {
  mutating func perform(action id: String) -> Bool {
    guard isActive else { return false }
    if id == ScreenSnapshot.closeAction, needsClose { return perform(.dismiss, as: id) }
    guard let action = screen.action(id) else { return false }
    switch action.work {
    case .move(let move): return perform(move, as: id)
    case .submitFields(let keys, let onSuccess):
      tapped(id)
      submitFields(keys, onSuccess)
    case .trigger(let name):
      guard let trigger = screen.trigger(name) else { return false }
      tapped(id)
      ask(.trigger(name), .trigger(trigger.onSuccess, trigger.onFailure))
    case .provider(let name):
      tapped(id)
      messages = []
      ask(.provider(name), .provider(name))
    case .requestPermission(let name, let onSuccess, let onFailure):
      tapped(id)
      record(.permissionRequested, ["permission": name])
      ask(.permission(name), .permission(name, onSuccess, onFailure))
    case .unknown: return false
    }
    return true
  }

  private mutating func tapped(_ action: String) {
    beginTurn()
    record(.actionTapped, ["screen": screen.id, "action": action])
  }

  mutating func fireTrigger(_ name: String) -> Bool {
    guard isShown, let trigger = screen.trigger(name) else { return false }
    // Also while paused: the app may hide the experience to do something of its own, and then go on with it.
    if pending == nil { ask(.trigger(name), .trigger(trigger.onSuccess, trigger.onFailure)) }
    return true
  }

  /// Makes a move on the user's behalf.
  /// - Parameter action: the action that it belongs to, if it is one's.
  mutating func perform(_ move: Experience.Move, as action: String? = nil) -> Bool {
    guard isActive else { return false }
    switch move {
    case .skip, .skipScreen: guard !screen.isRequired else { return false }
    case .back: guard !history.isEmpty else { return false }
    default: break
    }
    if let action { tapped(action) } else { beginTurn() }
    make(move)
    return true
  }

  private mutating func make(_ move: Experience.Move) {
    switch move {
    case .next: submitScreen(submitsFlow: isLastScreen)
    case .submit: submitScreen(submitsFlow: true)
    case .back:
      guard let last = history.last else { return }
      goBack(to: last)
    case .skipScreen:
      guard !screen.isRequired else { return }
      clearFaults()
      advance(submitsFlow: isLastScreen)
    case .skip:
      guard !screen.isRequired else { return }
      record(.flowSkipped, ["screen": screen.id])
      close(.skipped)
    case .dismiss: close(.dismissed)
    case .goToFlow(let id):
      guard let index = experience.flows.firstIndex(where: { $0.id == id }) else { return }
      go(to: Place(flow: index, screen: 0))
    case .goToScreen(let id):
      guard let index = flow.screens.firstIndex(where: { $0.id == id }) else { return }
      go(to: Place(flow: place.flow, screen: index))
    case .openURL(let url): tell(.open(url))
    }
  }

  // MARK: Submitting

  private mutating func clearFaults() {
    messages = []
    for field in screen.fields { faults[FieldPlace(place: place, key: field.key)] = nil }
  }

  private mutating func submitScreen(submitsFlow: Bool) {
    clearFaults()
    guard checkHere(screen.fields) else { return changed() }
    guard !screen.fields.isEmpty else {
      completed.insert(place)
      return advance(submitsFlow: submitsFlow)
    }
    ask(.validate(values(of: screen.fields, at: place), screen: screen.id), .screen(submitsFlow: submitsFlow))
  }

  private mutating func submitFields(_ keys: [String]?, _ onSuccess: Experience.Move?) {
    clearFaults()
    let fields = keys.map { keys in screen.fields.filter { keys.contains($0.key) } } ?? screen.fields
    guard checkHere(fields) else { return changed() }
    ask(.handle(values(of: fields, at: place)), .fields(onSuccess))
  }

  /// Checks fields of this screen. Returns whether all are accepted.
  private mutating func checkHere(_ fields: [Experience.Field]) -> Bool {
    let found = issues(of: fields, at: place)
    // No repetition is right of what was not entered, and this screen may have no way to where it is asked for: an app
    // opens screens by name, and a log-out empties the screens before.
    let missing = found.compactMap { emptyOriginal(of: $0, $1) }
    if missing.count == found.count, let first = missing.min(by: { $0.place.screen < $1.place.screen }) {
      goBack(to: first.place)
      faults[first] = .broken(FieldIssue(.required))
    } else {
      for (fieldPlace, issue) in found { faults[fieldPlace] = .broken(issue) }
    }
    if !found.isEmpty { refusal = turn }
    return found.isEmpty
  }

  /// The empty field of another screen that a field of this one repeats in vain.
  private func emptyOriginal(of fieldPlace: FieldPlace, _ issue: FieldIssue) -> FieldPlace? {
    guard issue.code == .mismatch, let key = screen.field(fieldPlace.key)?.constraints.matches, !isKept(key),
      let (other, field) = holder(ofKey: key, near: place), other != place, field.kind != .hidden,
      field.value(of: text(of: field, at: other), wording.numbers).isEmpty
    else { return nil }
    return FieldPlace(place: other, key: key)
  }

  private func issues(of fields: [Experience.Field], at place: Place) -> [FieldPlace: FieldIssue] {
    var found: [FieldPlace: FieldIssue] = [:]
    // The user can neither see nor change what is hidden; the app judges it.
    for field in fields where field.kind != .hidden {
      let fieldPlace = FieldPlace(place: place, key: field.key)
      let entry = text(of: field, at: place)
      if entries[fieldPlace]?.isKept == true {
        // It was accepted when it was here. What it repeats was accepted with it, and is kept with it.
        if let other = field.constraints.matches, !isKept(other) { found[fieldPlace] = FieldIssue(.mismatch) }
      } else if let issue = field.check(entry, wording.numbers).issue {
        found[fieldPlace] = issue
      } else if let other = field.constraints.matches,
        !field.value(of: entry, wording.numbers).isSame(as: value(ofKey: other, near: place) ?? .text(""))
      {
        found[fieldPlace] = FieldIssue(.mismatch)
      }
    }
    return found
  }

  /// Whether a field of the flow has a secret that is kept elsewhere.
  private func isKept(_ key: String) -> Bool {
    flow.screens.indices.contains { screen in
      entries[FieldPlace(place: Place(flow: place.flow, screen: screen), key: key)]?.isKept == true
    }
  }

  /// Goes on from a screen that was accepted or skipped.
  private mutating func advance(submitsFlow: Bool) {
    guard submitsFlow else { return go(to: Place(flow: place.flow, screen: place.screen + 1)) }
    submitFlow()
  }

  private mutating func submitFlow() {
    for index in flow.screens.indices {
      let other = Place(flow: place.flow, screen: index)
      let screen = flow.screens[index]
      let isMissing = screen.isRequired && !completed.contains(other)
      // A screen that was left on purpose has nothing to be checked.
      let found = completed.contains(other) || isMissing ? issues(of: screen.fields, at: other) : [:]
      guard isMissing || !found.isEmpty else { continue }
      for (fieldPlace, issue) in found where visited.contains(other) { faults[fieldPlace] = .broken(issue) }
      if other != place { goBack(to: other) }
      refusal = turn
      return changed()
    }
    switch flow.kind {
    case .login: ask(.logIn(flowValues), .flow)
    case .signUp: ask(.signUp(flowValues), .flow)
    case .recoverPassword: ask(.recoverPassword(flowValues), .flow)
    case .custom: completeFlow()
    }
  }

  /// Ends a flow that signs no user in.
  private mutating func completeFlow() {
    record(.flowCompleted)
    if let next = flow.onSuccess, next != .dismiss {
      // What was submitted is done with; a second time it has to be entered again.
      let done = place.flow
      completed = completed.filter { $0.flow != done }
      make(next)
    } else {
      close(.completed(flow: flow.id))
    }
  }

  // MARK: Answers

  mutating func settle(_ answer: RunnerAnswer, _ purpose: Pending.Purpose) {
    switch (answer, purpose) {
    case (.abandoned, _): break
    case (.unanswered, _): messages = [wording.builtIn("unanswered")]
    case (.failed(let message), _): messages = [message ?? wording.builtIn("failed")]
    case (.validation(let result), .screen(let submitsFlow)):
      guard result.isValid else { return refuse(result) }
      completed.insert(place)
      advance(submitsFlow: submitsFlow)
    case (.validation(let result), .flow):
      guard result.isValid else { return refuse(result) }
      completeFlow()
    case (.user(let user), .flow):
      guard user.result.isValid else { return refuse(user.result) }
      signIn(
        SignedInUser(
          id: user.userID, isNew: flow.kind == .signUp, properties: flowProperties, cleared: clearedProperties))
    case (.provider(let user), .provider(let name)):
      guard user.result.isValid else { return refuse(user.result) }
      signIn(SignedInUser(id: user.userID, isNew: user.isNewUser, provider: name, properties: user.properties))
    case (.decision(let isYes), .fields(let onSuccess)):
      guard isYes else { return }
      // The app has accepted the fields: going on does not ask it about them again.
      completed.insert(place)
      guard let onSuccess else { return }
      if case .next = onSuccess {
        advance(submitsFlow: isLastScreen)
      } else {
        make(onSuccess)
      }
    case (.decision(let isYes), .trigger(let onSuccess, let onFailure)):
      if let move = isYes ? onSuccess : onFailure { make(move) }
    case (.decision(let isGranted), .permission(let name, let onSuccess, let onFailure)):
      record(isGranted ? .permissionGranted : .permissionDenied, ["permission": name])
      if let move = isGranted ? onSuccess : onFailure { make(move) }
    // A question has answers of its own kind only.
    default: break
    }
  }

  private mutating func signIn(_ user: SignedInUser) {
    properties.merge(user.properties) { $1 }
    for name in user.cleared { properties[name] = nil }
    tell(.signedIn(user))
    let parameters = user.provider.map { ["provider": $0] } ?? [:]
    record(user.isNew ? .signUp : user.provider == nil ? .login : .providerLogin, parameters)
    record(.flowCompleted)
    finish(.signedIn(user))
  }

  /// Puts the app's messages where they belong, and goes to the first screen that has one.
  private mutating func refuse(_ result: ValidationResult) {
    clearFaults()
    let result = result.worded { wording.text($0) }
    var texts: [String] = []
    var isMessageShown = false
    var earliest: Place?
    for (key, own) in result.fields.sorted(by: { $0.key < $1.key }) {
      guard let target = owner(of: key) else {
        let text = own ?? result.message ?? wording.builtIn("refused")
        isMessageShown = isMessageShown || text == result.message
        if !texts.contains(text) { texts.append(text) }
        continue
      }
      faults[FieldPlace(place: target, key: key)] = .refused(own, result.message)
      isMessageShown = isMessageShown || own == nil
      completed.remove(target)
      if earliest.map({ target.screen < $0.screen }) ?? true { earliest = target }
    }
    if let message = result.message, !isMessageShown { texts.insert(message, at: 0) }
    if let earliest, earliest != place { goBack(to: earliest) }
    messages = texts
    refusal = turn
  }

  /// The screen that shows a field: this one, or the first other that the user has seen, or the first of all.
  private func owner(of key: String) -> Place? {
    func shows(_ index: Int) -> Bool { flow.screens[index].field(key).map { $0.kind != .hidden } ?? false }
    if shows(place.screen) { return place }
    let owners = flow.screens.indices.filter(shows).map { Place(flow: place.flow, screen: $0) }
    return owners.first { visited.contains($0) } ?? owners.first
  }
}
