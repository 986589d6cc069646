internal import OstiaryCore

/// The screens of a document and the ways that its actions open between them, for a person who has just come to a screen
/// with nothing behind it: apps open screens by name, so there may be nothing to go back to.
struct DocumentGraph {
  typealias Place = Experience.Place

  /// Where a way leads.
  enum Target: Hashable {
    /// Out of the experience.
    case end
    /// To a screen.
    case screen(Int)
    /// To the submission of the flow.
    case submission
  }

  /// What one action opens.
  struct Way {
    /// The action's id; for what the app sets off, the trigger's name.
    let action: String
    /// Where it leads. When it depends on an answer that the person can't repeat, there are several, and all have to be good.
    let targets: [Target]
    /// Whether the screen counts as submitted afterwards.
    let completes: Bool
  }

  /// A screen.
  struct Node {
    let place: Place
    let isRequired: Bool
    /// What the person can choose.
    var ways: [Way] = []
    /// Where the app, or an answer of the app or the system, may lead besides.
    var others: [Way] = []
    /// Whether an action completes the screen without leaving it.
    var canCompleteHere = false
    /// Whether a renderer draws an action here.
    var hasActions = false
    /// The keys of the fields that accept no value, or none with which the flow can be submitted.
    var blocked: [String] = []
  }

  let experience: Experience
  private(set) var nodes: [Node] = []
  /// The first node of each flow.
  private(set) var first: [Int] = []

  init(_ experience: Experience) {
    self.experience = experience
    var count = 0
    for flow in experience.flows {
      first.append(count)
      count += flow.screens.count
    }
    nodes.reserveCapacity(count)
    // What leads to a flow without screens, which no valid document has, leads nowhere.
    var flows: [String: Int] = [:]
    for (index, flow) in experience.flows.enumerated() where flows[flow.id] == nil { flows[flow.id] = index }
    flows = flows.filter { !experience.flows[$0.value].screens.isEmpty }
    for (index, flow) in experience.flows.enumerated() {
      let screens = Dictionary(flow.screens.enumerated().map { ($1.id, $0) }) { earlier, _ in earlier }
      let values = FlowValues(flow)
      for place in flow.screens.indices {
        let reader = NodeReader(
          experience: experience, flow: index, screen: place, blocked: values.blocked(on: place),
          contradicted: values.contradictions(on: place), first: first, flows: flows, screens: screens)
        nodes.append(reader.read())
      }
    }
  }

  func flow(of node: Int) -> Int { nodes[node].place.flow }
  func screen(_ node: Int) -> Experience.Screen {
    experience.flows[nodes[node].place.flow].screens[nodes[node].place.screen]
  }

  /// A flow's nodes.
  func nodes(of flow: Int) -> Range<Int> { first[flow]..<first[flow] + experience.flows[flow].screens.count }

  /// What a target is worth.
  enum Value {
    case good
    case bad
    /// As good as another node.
    case node(Int)
  }

  /// The nodes from which a person can come to a good target, where each step may be chosen.
  /// - Parameter part: the nodes that are looked at; by default all.
  func nodesThatReach(in part: Range<Int>? = nil, _ value: (_ target: Target, _ flow: Int) -> Value) -> [Bool] {
    var isGood = [Bool](repeating: false, count: nodes.count)
    var dependents = [[Int]](repeating: [], count: nodes.count)
    var waiting: [Int] = []
    func isProven(_ node: Int) -> Bool {
      nodes[node].ways.contains { way in
        !way.targets.isEmpty
          && way.targets.allSatisfy { target in
            switch value(target, flow(of: node)) {
            case .good: true
            case .bad: false
            case .node(let other): isGood[other]
            }
          }
      }
    }
    for node in part ?? nodes.indices {
      for way in nodes[node].ways {
        for target in way.targets {
          if case .node(let other) = value(target, flow(of: node)) { dependents[other].append(node) }
        }
      }
      if isProven(node) {
        isGood[node] = true
        waiting.append(node)
      }
    }
    while let node = waiting.popLast() {
      for dependent in dependents[node] where !isGood[dependent] && isProven(dependent) {
        isGood[dependent] = true
        waiting.append(dependent)
      }
    }
    return isGood
  }
}
