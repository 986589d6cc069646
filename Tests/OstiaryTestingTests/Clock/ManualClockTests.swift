import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct ManualClockTests {
  @Test("Time stands still until it is advanced")
  func standsStill() {
    let clock = ManualClock(now: Date(timeIntervalSince1970: 100))
    #expect(clock.now == Date(timeIntervalSince1970: 100))
    clock.advance(by: .milliseconds(2500))
    #expect(clock.now == Date(timeIntervalSince1970: 102.5))
    clock.advance(by: .seconds(-5))
    #expect(clock.now == Date(timeIntervalSince1970: 102.5))
  }

  @Test("Sleepers wake when their time has come, not before")
  func wakes() async throws {
    let clock = ManualClock()
    let woken = Locked<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          woken.withLock { $0.append(seconds) }
        }
      }
      try await clock.waitForSleepers(3)
      clock.advance(by: .milliseconds(999))
      #expect(clock.sleepers == 3)
      clock.advance(by: .milliseconds(1))
      #expect(clock.sleepers == 2)
      try await group.next()
      #expect(woken.withLock { $0 } == [1])
      clock.advance(by: .seconds(1))
      try await group.next()
      #expect(woken.withLock { $0 } == [1, 2])
      clock.advance(by: .seconds(1))
      try await group.next()
    }
    #expect(woken.withLock { $0 } == [1, 2, 3])
  }

  @Test("A cancelled sleeper gets CancellationError and leaves")
  func cancellation() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
    await #expect(throws: CancellationError.self) { try await cancelled { try await clock.sleep(for: .seconds(1)) } }
  }

  @Test("Setting the wall clock back wakes nobody and delays nobody")
  func jumpsBack() async throws {
    let clock = ManualClock(now: Date(timeIntervalSince1970: 1000))
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    try await clock.waitForSleepers()
    clock.set(to: Date(timeIntervalSince1970: 5))
    #expect(clock.now == Date(timeIntervalSince1970: 5))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(10))
    try await sleeper.value
    #expect(clock.now == Date(timeIntervalSince1970: 15))
  }

  @Test("Waiting for sleepers that don't come ends with an error that says so")
  func boundedWait() async throws {
    let clock = ManualClock()
    let error = await #expect(throws: WaitTimedOut.self) {
      try await clock.waitForSleepers(2, within: .milliseconds(5))
    }
    #expect(error?.awaited == "2 sleepers")
  }
}

/// Runs `body` in a task that is cancelled before it starts.
func cancelled<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
  let gate = Gate()
  let task = Task {
    try? await gate.pass()
    return try await body()
  }
  task.cancel()
  return try await task.value
}
