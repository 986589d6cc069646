internal import OstiaryCore

/// Tells which screens of a document trap a person, and how one comes there.
struct DocumentExplorer {
  private let ways: DocumentWays
  private let log: DocumentLog
  /// For each node that something leads to, the node before and what leads here.
  private var before: [(node: Int, action: String)?]
  private var isReached: [Bool]

  private var graph: DocumentGraph { ways.graph }

  init(_ experience: Experience, _ log: DocumentLog) {
    self.log = log
    ways = DocumentWays(experience)
    before = Array(repeating: nil, count: ways.graph.nodes.count)
    isReached = Array(repeating: false, count: ways.graph.nodes.count)
    walk()
  }

  /// Finds the shortest way to each screen from the beginning of a flow.
  private mutating func walk() {
    var line = graph.experience.flows.indices.filter { !graph.nodes(of: $0).isEmpty }.map { graph.first[$0] }
    for node in line { isReached[node] = true }
    var next = 0
    while next < line.count {
      let node = line[next]
      next += 1
      for way in graph.nodes[node].ways + graph.nodes[node].others {
        for target in way.targets.flatMap({ targets(of: $0, from: node) }) where !isReached[target] {
          isReached[target] = true
          before[target] = (node, way.action)
          line.append(target)
        }
      }
    }
  }

  /// Where a way leads: a submission also to each required screen, when it is the first that is missing.
  private func targets(of target: DocumentGraph.Target, from node: Int) -> [Int] {
    switch target {
    case .end: return []
    case .screen(let other): return [other]
    case .submission:
      let flow = graph.flow(of: node)
      var all = graph.nodes(of: flow).filter { $0 != node && graph.nodes[$0].isRequired }
      if case .screen(let goal) = ways.goals[flow] { all.append(goal) }
      return all
    }
  }

  func check() {
    let incomplete = Set(ways.incomplete)
    for (index, node) in graph.nodes.enumerated() {
      let path = "$.flows[\(node.place.flow)].screens[\(node.place.screen)]"
      if !ways.hasEnd[index] {
        let what =
          node.hasActions
          ? "No action of this screen leads to an end of the experience, so a person can't leave it\(blocked(node)). "
            + "Let one go on or leave, as dismiss does."
          : "This screen has no button for a person who comes here first, so that they can't go on or leave. "
            + "Add an action, such as next or dismiss."
        log.add(ExperienceProblem(path: path, code: .deadEnd, message: "\(what) \(way(to: index))"))
      } else if incomplete.contains(index) {
        log.add(
          ExperienceProblem(
            path: path, code: .deadEnd,
            message: "This screen is required, and no way that completes it leads to the flow's submission"
              + "\(blocked(node)): the flow comes back here for ever. Add an action such as next. \(way(to: index))"))
      }
      if !isReached[index] {
        log.notice(
          ExperienceProblem(
            path: path, code: .unreachable,
            message: "No action leads to this screen; only an app that opens it by its name shows it."))
      }
    }
  }

  /// The fields that keep a screen from being submitted.
  private func blocked(_ node: DocumentGraph.Node) -> String {
    node.blocked.isEmpty ? "" : " (no value is accepted in \(node.blocked.joined(separator: ", ")))"
  }

  /// The shortest way to a screen, in words.
  private func way(to node: Int) -> String {
    guard isReached[node] else { return "Only an app that opens it by its name leads here." }
    var steps: [String] = []
    var place = node
    while let step = before[place] {
      steps.append("\(name(step.node)), “\(step.action)”")
      place = step.node
    }
    guard !steps.isEmpty else { return "It is where its flow begins." }
    return "The shortest way here: \(steps.reversed().joined(separator: "; ")); \(name(node))."
  }

  private func name(_ node: Int) -> String {
    "\(graph.experience.flows[graph.flow(of: node)].id)/\(graph.screen(node).id)"
  }
}
