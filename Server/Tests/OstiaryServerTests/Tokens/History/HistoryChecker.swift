/// Whether a recorded history of a family is linearizable: whether each call can be given one moment between its beginning
/// and its end, so that in the order of the moments each outcome is what the model says (Wing and Gong's search, with the
/// states seen remembered).
struct HistoryChecker {
  private let operations: [TokenOperation]
  private let window: Double
  private var seen: Set<Position> = []
  /// How far the search came: for the report.
  private(set) var furthest = 0

  private struct Position: Hashable {
    var done: Set<Int>
    var model: FamilyModel
  }

  init(_ operations: [TokenOperation], window: Double) {
    self.operations = operations.sorted { $0.start < $1.start }
    self.window = window
  }

  /// - Parameter first: the family's first token.
  mutating func isLinearizable(first: String) -> Bool {
    var stack = [Position(done: [], model: FamilyModel(first: first))]
    while let position = stack.popLast() {
      guard seen.insert(position).inserted else { continue }
      furthest = max(furthest, position.done.count)
      let open = operations.indices.filter { !position.done.contains($0) }
      // What was lost need not have happened.
      if open.allSatisfy({ operations[$0].outcome == .unknown }) { return true }
      // A call that begins after another has ended can't come before it.
      let earliestEnd = open.map { operations[$0].end }.min() ?? .max
      for index in open where operations[index].start < earliestEnd {
        guard let model = position.model.applying(operations[index], window: window) else { continue }
        // A lost call that changed nothing may as well not have been.
        if operations[index].outcome == .unknown, model == position.model { continue }
        stack.append(Position(done: position.done.union([index]), model: model))
      }
    }
    return false
  }
}
