import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Waits for what nothing announces", .timeLimit(.minutes(5)))
struct WaitUntilTests {
  private struct Broken: Error {}

  @Test("A condition is looked at until it holds, in the caller's isolation, and not once more")
  @MainActor
  func comes() async throws {
    var looks = 0
    try await waitUntil("the fifth look") {
      looks += 1
      return looks == 5
    }
    #expect(looks == 5)
    try await waitUntil { true }
    let isDone = Locked(false)
    Task.detached { isDone.withLock { $0 = true } }
    try await waitUntil("another task") { isDone.withLock { $0 } }
  }

  @Test("What does not come ends the wait with its name and line; so does an error, at once")
  func neverComes() async throws {
    let late = await #expect(throws: WaitTimedOut.self) {
      try await waitUntil("the end of the world", within: .milliseconds(5)) { false }
    }
    #expect(late?.limit == .milliseconds(5))
    #expect(late?.awaited.hasPrefix("the end of the world (OstiaryTestingTests/WaitUntilTests.swift:") == true)
    let looks = Locked(0)
    await #expect(throws: Broken.self) {
      try await waitUntil {
        looks.withLock { $0 += 1 }
        throw Broken()
      }
    }
    #expect(looks.withLock { $0 } == 1)
  }

  @Test("A cancelled task waits no longer")
  func cancellation() async throws {
    let looks = Locked(0)
    let wait = Task {
      try await waitUntil {
        looks.withLock { $0 += 1 }
        return false
      }
    }
    try await waitUntil("a look") { looks.withLock { $0 } > 0 }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}
