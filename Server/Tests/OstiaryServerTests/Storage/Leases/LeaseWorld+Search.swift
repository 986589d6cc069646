@testable import OstiaryServer

extension LeaseWorld {
  /// Every state that can be reached, the shortest way first; and the way to the first one in which the rule is broken.
  /// - Parameter goesOn: whether every state must lead back to belief.
  static func search(_ scenario: Scenario, goesOn: Bool = false) -> (states: Int, broken: String?) {
    let first = LeaseWorld(scenario)
    var index = [first.fingerprint: 0]
    // Each by the state before it, and the number of the choice there.
    var came = [(from: -1, choice: 0)]
    func way(to state: Int, _ last: Int? = nil) -> String {
      var (numbers, state) = (last.map { [$0] } ?? [], state)
      while state > 0 {
        numbers.append(came[state].choice)
        state = came[state].from
      }
      var (world, labels) = (first, [String]())
      for number in numbers.reversed() {
        let choice = world.choices[number]
        labels.append(choice.label())
        choice.change(&world)
      }
      return labels.joined(separator: " → ")
    }
    var line = [(first, 0)]
    while !line.isEmpty {
      var nextLine: [(LeaseWorld, Int)] = []
      for (world, state) in line {
        if goesOn, !world.goesOn { return (came.count, "it ends there: \(way(to: state))") }
        for (number, choice) in (world.isOver ? [] : world.choices).enumerated() {
          var after = world
          choice.change(&after)
          if let broken = after.broken { return (came.count, "\(broken): \(way(to: state, number))") }
          let fingerprint = after.fingerprint
          guard index[fingerprint] == nil else { continue }
          index[fingerprint] = came.count
          nextLine.append((after, came.count))
          came.append((state, number))
        }
      }
      line = nextLine
    }
    return (came.count, nil)
  }

  /// Whether, where nothing is lost and nothing fails from now on, every node believes its caches again, and all calls return.
  private var goesOn: Bool {
    var world = self
    for _ in 0..<100 {
      let instant = world.instant
      let believes = world.nodes.allSatisfy { node in
        node.isStopped || node.machine.mayBelieve(at: instant) && node.machine.applied == world.database.newest
      }
      if believes, world.calls.isEmpty { return true }
      let choices = world.choices
      guard let choice = choices.first(where: \.isUsual) ?? choices.first else { return false }
      choice.change(&world)
    }
    return false
  }
}
