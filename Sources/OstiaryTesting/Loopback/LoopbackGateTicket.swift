internal import OstiaryCore

/// A connection's place at a gate. It ends with the connection, also when that ends because the server stops.
///
/// No task waits here: a test that drives a server with blocking reads may occupy every thread that tasks run on.
final class LoopbackGateTicket: Sendable {
  private let gate: Gate
  private let ticket: UInt64
  private let passed: Locked<Bool>

  /// Goes to the gate, and wakes the server's thread when it is through.
  init(through gate: Gate, record: LoopbackServerRecord) {
    let passed = Locked(false)
    self.gate = gate
    self.passed = passed
    ticket = gate.pass {
      passed.withLock { $0 = true }
      record.wake()
    }
  }

  deinit {
    giveUp()
  }

  /// Leaves the gate to others.
  func giveUp() {
    gate.leave(ticket)
  }

  /// Whether the gate has let it through.
  var isComplete: Bool { passed.withLock { $0 } }
}
