import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct GateTests {
  @Test("An open gate lets through, a closed one holds")
  func openAndClosed() async throws {
    let gate = Gate(isOpen: true)
    try await gate.pass()
    gate.close()
    let task = Task { try await gate.pass() }
    try await gate.waitForWaiting()
    gate.open()
    try await task.value
    #expect(gate.waiting == 0)
    try await gate.waitForArrivals(2)
  }

  @Test("Release lets through exactly so many, and keeps what is left over for the next")
  func release() async throws {
    let gate = Gate()
    let passed = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await gate.pass()
          passed.withLock { $0 += 1 }
        }
      }
      try await gate.waitForWaiting(3)
      gate.release(2)
      try await group.next()
      try await group.next()
      #expect(passed.withLock { $0 } == 2)
      #expect(gate.waiting == 1)
      gate.release(2)
    }
    try await gate.pass()
    #expect(gate.waiting == 0)
  }

  @Test("Cancelling one who waits disturbs no other")
  func cancellation() async throws {
    let gate = Gate()
    let first = Task { try await gate.pass() }
    try await gate.waitForWaiting(1)
    let second = Task { try await gate.pass() }
    try await gate.waitForWaiting(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(gate.waiting == 1)
    gate.release()
    try await second.value
  }

  @Test("Ten thousand can wait")
  func many() async throws {
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10_000 { group.addTask { try await gate.pass() } }
      try await gate.waitForWaiting(10_000)
      gate.open()
      try await group.waitForAll()
    }
    #expect(gate.waiting == 0)
  }
}
