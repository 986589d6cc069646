internal import OstiaryCore

/// What is proven of a document's ways: whether a person who comes to a screen can come to an end of the experience, by
/// leaving it or by submitting a flow, when the app accepts what they submit.
struct DocumentWays {
  let graph: DocumentGraph
  /// Whether a person can come from the node to an end.
  private(set) var hasEnd: [Bool] = []
  /// The required screens that can't be submitted before their flow, though the flow can be.
  private(set) var incomplete: [Int] = []
  /// Where the submission of each flow leads; `nil` when that is nowhere.
  private(set) var goals: [DocumentGraph.Target?] = []

  init(_ experience: Experience) {
    graph = DocumentGraph(experience)
    // First without leaving a flow; what is proven so may then be part of a longer way.
    let simple = experience.flows.indices.map { flow in
      firstIncomplete(in: flow, graph.nodesThatReach(in: graph.nodes(of: flow)) { Self.within(flow, $0, $1) })
    }
    for flow in experience.flows.indices {
      var open = simple[flow].incomplete
      if !open.isEmpty {
        let reaching = graph.nodesThatReach { [graph] target, from in
          if from == flow, target == .submission { return .good }
          return Self.value(target, of: from) { other in
            simple[other].incomplete.isEmpty ? Self.success(of: other, in: graph) : nil
          }
        }
        open = firstIncomplete(in: flow, reaching).incomplete
      }
      if simple[flow].isSubmitted { incomplete += open }
      goals.append(open.first.map { .screen($0) } ?? Self.success(of: flow, in: graph))
    }
    hasEnd = graph.nodesThatReach { [goals] target, flow in
      target == .end ? .good : Self.value(target, of: flow) { goals[$0] }
    }
  }

  /// The screens from which no end can be reached.
  var trapped: Set<DocumentGraph.Place> {
    let flows = graph.experience.flows
    // Where there are no screens, which no valid document says, an empty one is shown.
    let empty = flows.isEmpty ? [0] : flows.indices.filter { flows[$0].screens.isEmpty }
    return Set(graph.nodes.indices.filter { !hasEnd[$0] }.map { graph.nodes[$0].place })
      .union(empty.map { DocumentGraph.Place(flow: $0, screen: 0) })
  }

  private static func within(_ flow: Int, _ target: DocumentGraph.Target, _ from: Int) -> DocumentGraph.Value {
    guard from == flow else { return .bad }
    return target == .submission ? .good : value(target, of: from) { _ in nil }
  }

  /// A target's value, where the end is none.
  private static func value(
    _ target: DocumentGraph.Target, of flow: Int, _ goal: (Int) -> DocumentGraph.Target?
  ) -> DocumentGraph.Value {
    switch target {
    case .end: .bad
    case .screen(let node): .node(node)
    case .submission:
      switch goal(flow) {
      case .screen(let node): .node(node)
      case .end: .good
      case .submission, nil: .bad
      }
    }
  }

  /// What follows when a flow has succeeded.
  private static func success(of flow: Int, in graph: DocumentGraph) -> DocumentGraph.Target? {
    let document = graph.experience.flows[flow]
    if document.kind == .login || document.kind == .signUp { return .end }
    switch document.onSuccess {
    case .dismiss, nil: return .end
    case .goToFlow(let id):
      guard let next = graph.experience.flows.firstIndex(where: { $0.id == id }), !graph.nodes(of: next).isEmpty else {
        return nil
      }
      return .screen(graph.first[next])
    case .goToScreen(let id):
      return document.screens.firstIndex { $0.id == id }.map { .screen(graph.first[flow] + $0) }
    default: return nil
    }
  }

  /// The required screens of a flow that can't be completed on a way to the submission.
  /// - Parameter reaches: the nodes from which the submission can be reached.
  private func firstIncomplete(in flow: Int, _ reaches: [Bool]) -> (incomplete: [Int], isSubmitted: Bool) {
    let nodes = graph.nodes(of: flow)
    func leadsOn(_ target: DocumentGraph.Target) -> Bool {
      switch target {
      case .submission: true
      case .screen(let node): reaches[node]
      case .end: false
      }
    }
    let open = nodes.filter { index in
      let node = graph.nodes[index]
      guard node.isRequired else { return false }
      let isCompleted =
        node.canCompleteHere && reaches[index]
        || node.ways.contains { $0.completes && $0.targets.allSatisfy(leadsOn) }
      return !isCompleted
    }
    return (open, nodes.contains { reaches[$0] })
  }
}

extension Experience {
  /// The screens from which no end can be reached: see ``DocumentWays``.
  var trapped: Set<Place> { traps.places { DocumentWays(self).trapped } }
}
