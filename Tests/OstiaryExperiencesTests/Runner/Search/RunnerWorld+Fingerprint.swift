import OstiaryCore

@testable import OstiaryExperiences

extension RunnerWorld {
  /// How many stored properties the machine has. Each is in the fingerprint, or listed there as of no consequence.
  static let knownFields = 22

  /// Two worlds with the same fingerprint go on in the same way. Of no consequence are: the document and what is made of it
  /// (experience, wording, trapped screens, longest history), the numbers that the next ticket, turn, revision and entry get and the
  /// last refusal has, and the outputs, which have been taken. Orders of entries count by what they are compared with.
  var fingerprint: Int {
    var hasher = Hasher()
    switch machine.phase {
    case .idle: hasher.combine(0)
    case .shown: hasher.combine(1)
    case .finished(let outcome):
      hasher.combine(2)
      hasher.combine(outcome)
    }
    hasher.combine(machine.isPaused)
    hasher.combine(machine.place)
    hasher.combine(machine.history)
    hasher.combine(machine.visited)
    hasher.combine(machine.completed)
    hasher.combine(machine.messages)
    hasher.combine(machine.entered)
    hasher.combine(machine.properties)
    let orders = Set(machine.entries.values.map(\.order)).sorted()
    for (place, entry) in machine.entries.sorted(by: { Self.precedes($0.key, $1.key) }) {
      hasher.combine(place)
      hasher.combine(entry.reveal)
      hasher.combine(entry.isTouched)
      hasher.combine(orders.firstIndex(of: entry.order))
    }
    for (place, fault) in machine.faults.sorted(by: { Self.precedes($0.key, $1.key) }) {
      hasher.combine(place)
      switch fault {
      case .broken(let issue): hasher.combine(issue)
      case .refused(let own, let general):
        hasher.combine(own)
        hasher.combine(general)
      }
    }
    hasher.combine(machine.pending.map { "\($0.purpose)" })
    hasher.combine(machine.pending?.isAsked)
    hasher.combine(question == nil)
    hasher.combine(model)
    return hasher.finalize()
  }

  private static func precedes(_ one: RunnerMachine.FieldPlace, _ other: RunnerMachine.FieldPlace) -> Bool {
    (one.place.flow, one.place.screen, one.key) < (other.place.flow, other.place.screen, other.key)
  }
}
