/// The calls that the app of a life has made, with the moments at which it made them, and what was wrong.
///
/// Used by the thread of the life alone.
package final class CallLog<Moment: Hashable & Sendable>: @unchecked Sendable {
  package struct Call {
    /// Whom the call is about, by what the app could see when it made it.
    package let moment: Moment
    package fileprivate(set) var outcomes = 0
    package fileprivate(set) var isCancelled = false
    fileprivate var cancel: (() -> Void)?
  }

  private let simulation: Simulation
  package private(set) var calls: [Call] = []
  package private(set) var violations: [String] = []
  /// How many requests were judged.
  package private(set) var judged = 0

  package init(_ simulation: Simulation) { self.simulation = simulation }

  /// Notes a call that is made now.
  /// - Returns: its number.
  package func begin(_ moment: Moment, _ what: String) -> Int {
    calls.append(Call(moment: moment))
    simulation.note("  call \(calls.count - 1) \(what): \(moment)")
    return calls.count - 1
  }

  /// Notes how a call can be cancelled.
  package func canCancel(_ number: Int, _ cancel: @escaping () -> Void) { calls[number].cancel = cancel }

  /// Cancels one of the calls.
  package func cancelOne() {
    let open = calls.indices.filter { calls[$0].outcomes == 0 && calls[$0].cancel != nil }
    guard !open.isEmpty else { return }
    let number = simulation.one(of: open)
    simulation.note("  cancel call \(number)")
    calls[number].isCancelled = true
    calls[number].cancel?()
  }

  /// Notes the end of a call.
  package func end(_ number: Int, _ outcome: String = "") {
    calls[number].outcomes += 1
    simulation.note("  end of call \(number) \(outcome)")
  }

  package var areEnded: Bool { calls.allSatisfy { $0.outcomes > 0 } }

  /// The moment of the call that a request belongs to, which is being judged.
  package func judge(_ number: Int?, _ request: String) -> Moment? {
    judged += 1
    guard let number, calls.indices.contains(number) else {
      violate("\(request) is of no call")
      return nil
    }
    return calls[number].moment
  }

  package func violate(_ text: String) {
    // The steps are long, and those of the first are enough.
    let steps = violations.isEmpty ? "\n" + simulation.steps.suffix(200).joined(separator: "\n") : ""
    violations.append("seed \(simulation.seed): \(text)\(steps)")
  }

  /// Every call ends once.
  package func judgeOutcomes() {
    for (number, call) in calls.enumerated() where call.outcomes != 1 {
      violate("call \(number): \(call.outcomes) ends")
    }
  }
}
