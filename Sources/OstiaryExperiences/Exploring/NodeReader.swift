internal import OstiaryCore

/// Reads the ways that one screen opens.
struct NodeReader {
  let experience: Experience
  let flow: Int
  let screen: Int
  /// The keys of the screen's fields that accept no value.
  let blocked: [String]
  /// The keys of those whose values the flow's submission refuses.
  let contradicted: [String]
  /// The first node of each flow.
  let first: [Int]
  let flows: [String: Int]
  let screens: [String: Int]

  private var document: Experience.Flow { experience.flows[flow] }
  private var isLast: Bool { screen == document.screens.count - 1 }
  /// Whether the screen's fields can be accepted, and stay so until the flow is submitted.
  private var canBeCompleted: Bool { blocked.isEmpty && contradicted.isEmpty }

  func read() -> DocumentGraph.Node {
    let document = document.screens[screen]
    var node = DocumentGraph.Node(
      place: .init(flow: flow, screen: screen), isRequired: document.isRequired,
      blocked: blocked + contradicted.filter { !blocked.contains($0) })
    for action in document.actions { add(action, of: document, to: &node) }
    for trigger in document.triggers {
      for move in [trigger.onSuccess, trigger.onFailure] {
        if let way = way(move, trigger.name, document) { node.others.append(way) }
      }
    }
    return node
  }

  private func add(
    _ action: Experience.Action, of screen: Experience.Screen, to node: inout DocumentGraph.Node
  ) {
    switch action.work {
    case .unknown, .move(.back): return
    case .move(.skip), .move(.skipScreen): if screen.isRequired { return }
    default: break
    }
    node.hasActions = true
    switch action.work {
    case .move(let move):
      if let way = way(move, action.id, screen) { node.ways.append(way) }
    case .submitFields(let keys, let onSuccess):
      guard !blocked.contains(where: { keys?.contains($0) ?? true }) else { return }
      let way = handedOver(onSuccess, action.id, screen)
      // The screen is complete then, and the flow's submission looks at its other fields, too: it comes back here.
      guard blocked.isEmpty || way?.targets.allSatisfy(leavesFlow) ?? false else { return }
      node.canCompleteHere = canBeCompleted
      if let way { node.ways.append(way) }
    case .trigger(let name):
      if let way = way(screen.trigger(name)?.onSuccess, action.id, screen) { node.ways.append(way) }
    case .provider: node.ways.append(.init(action: action.id, targets: [.end], completes: false))
    case .requestPermission(_, let onSuccess, let onFailure):
      let (granted, denied) = (way(onSuccess, action.id, screen), way(onFailure, action.id, screen))
      // A system asks once: a person who has denied it is not asked again, so both answers have to lead on.
      if let granted, let denied {
        node.ways.append(
          .init(
            action: action.id, targets: granted.targets + denied.targets,
            completes: granted.completes && denied.completes))
      } else if let one = granted ?? denied {
        node.others.append(one)
      }
    case .unknown: break
    }
  }

  /// What follows when the app has taken fields: their screen is complete.
  private func handedOver(
    _ move: Experience.Move?, _ action: String, _ screen: Experience.Screen
  ) -> DocumentGraph.Way? {
    if case .next = move { return .init(action: action, targets: [following], completes: canBeCompleted) }
    return way(move, action, screen).map { .init(action: action, targets: $0.targets, completes: canBeCompleted) }
  }

  private func leavesFlow(_ target: DocumentGraph.Target) -> Bool {
    switch target {
    case .end: true
    case .submission: false
    case .screen(let node): node < first[flow] || node >= first[flow] + document.screens.count
    }
  }

  private var following: DocumentGraph.Target { isLast ? .submission : .screen(first[flow] + screen + 1) }

  private func way(
    _ move: Experience.Move?, _ action: String, _ screen: Experience.Screen
  ) -> DocumentGraph.Way? {
    func to(_ target: DocumentGraph.Target, completes: Bool = false) -> DocumentGraph.Way {
      .init(action: action, targets: [target], completes: completes)
    }
    switch move {
    case .next: return blocked.isEmpty ? to(following, completes: canBeCompleted) : nil
    case .submit: return blocked.isEmpty ? to(.submission, completes: canBeCompleted) : nil
    case .skipScreen: return screen.isRequired ? nil : to(following)
    case .skip: return screen.isRequired ? nil : to(.end)
    case .dismiss: return to(.end)
    case .goToFlow(let id): return flows[id].map { to(.screen(first[$0])) }
    case .goToScreen(let id): return screens[id].map { to(.screen(first[flow] + $0)) }
    case .back, .openURL, nil: return nil
    }
  }
}
