internal import Foundation
internal import OstiaryCore

extension RunnerMachine {
  /// Whether the screen is covered, as ``ExperienceSnapshot/isWaiting`` says of what is drawn.
  var isWaiting: Bool {
    if case .shown = phase { !isPaused && pending != nil } else { false }
  }

  func snapshot() -> ExperienceSnapshot {
    let phase: ExperienceSnapshot.Phase =
      switch self.phase {
      case .idle: .idle
      case .finished(let outcome): .finished(outcome)
      case .shown: isPaused ? .paused : pending.map { .waiting($0.purpose.wait) } ?? .shown
      }
    return ExperienceSnapshot(
      phase: phase, experience: experience.id, flow: flow.id, flowKind: flow.kind, screen: drawScreen(),
      revision: revision)
  }

  /// Whether the document leaves no way out of the screen, so that one is drawn.
  var needsClose: Bool {
    guard trapped.contains(place) else { return false }
    guard let last = history.last, screen.actions.contains(where: { $0.work == .move(.back) }) else { return true }
    return trapped.contains(last)
  }

  private func drawScreen() -> ScreenSnapshot {
    var drawn = ScreenDrawing(wording: wording, property: { property($0) }).draw(
      screen, turn: turnName, messages: messages, canGoBack: !history.isEmpty, needsClose: needsClose,
      entry: { field in
        guard let entry = entries[FieldPlace(place: place, key: field.key)] else { return (nil, false) }
        let text = entry.reveal
        return (field.isSecure ? nil : text, !text.isEmpty || entry.isKept)
      },
      fault: { faults[FieldPlace(place: place, key: $0.key)] })
    drawn.refusal = refusal
    return drawn
  }
}

extension RunnerMachine.Pending.Purpose {
  var wait: ExperienceSnapshot.Wait {
    switch self {
    case .screen: .validation
    case .flow: .flow
    case .fields: .fields
    case .trigger: .trigger
    case .provider: .provider
    case .permission: .permission
    }
  }
}
