import OstiaryTesting
import Testing

@testable import OstiaryCore

/// Calls of one object begin in the order in which they were made.
@Suite("The ordered entry of an object", .timeLimit(.minutes(10))) struct CallEntryTests {
  private final class Object: Sendable {
    let entry = CallEntry()
    let user = Locked<String?>("ann")
    let log = Locked<[String]>([])

    func note(_ text: String) { log.withLock { $0.append(text) } }

    func capture() -> CapturedCall<String> {
      capture { "unread" }
    }

    func capture(later: @escaping @Sendable () async throws -> String) -> CapturedCall<String> {
      entry.capture(now: { user.withLock { $0 } }, later: later)
    }
  }

  @Test("A call is about the user of the moment at which it was made")
  func now() async throws {
    let object = Object()
    let call = object.capture()
    object.user.withLock { $0 = "ben" }
    #expect(try await call.value == "ann")
  }

  @Test("Calls that can't be captured yet are captured in order, and those behind them wait, too", arguments: 0..<20)
  func order(round: Int) async throws {
    let object = Object()
    let gate = Gate()
    object.user.withLock { $0 = nil }
    let first = object.capture {
      try await gate.pass()
      object.note("first")
      return "stored"
    }
    object.user.withLock { $0 = "ben" }
    // It could be captured now, and must not overtake.
    let second = object.capture {
      object.note("second")
      return "after first"
    }
    let third = object.capture {
      object.note("third")
      return "after second"
    }
    gate.open()
    #expect(try await third.value == "after second")
    #expect(try await (first.value, second.value) == ("stored", "after first"))
    #expect(object.log.withLock { $0 } == ["first", "second", "third"])
    #expect(try await object.capture().value == "ben", "an empty queue is passed at once")
  }

  @Test("A capture that fails, and a caller that is cancelled, hold up no other call")
  func failures() async throws {
    let object = Object()
    let gate = Gate()
    object.user.withLock { $0 = nil }
    let failing = object.capture {
      try await gate.pass()
      throw OstiaryError(.storeUnavailable, "Locked.")
    }
    let next = object.capture { "next" }
    let waiting = Task { try await next.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.open()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await failing.value }
    #expect(try await next.value == "next")
  }

  @Test("The outcome is handed over once, also after a cancellation")
  func completion() async throws {
    let object = Object()
    let gate = Gate()
    let done = Gate()
    let task = object.capture().start { user in
      try await gate.pass()
      return user
    } completion: { outcome in
      object.note((try? outcome.get()) ?? "cancelled")
      done.open()
    }
    task.cancel()
    gate.open()
    try await done.pass()
    #expect(object.log.withLock { $0.count } == 1)
  }
}

/// What an object can tell of calls that its own callback makes.
@Suite("Callbacks that call their object", .timeLimit(.minutes(10))) struct AppCallbackTests {
  private final class Object: Sendable {}

  @Test("A call that the callback makes or awaits is recognised; one of another task, or after it, is not")
  func attribution() async {
    let object = Object()
    let other = Object()
    let later = await AppCallback.run(for: object) { () -> Task<Bool, Never> in
      #expect(AppCallback.isRunning(for: object))
      #expect(!AppCallback.isRunning(for: other))
      #expect(await awaited(object), "awaited by the callback")
      await AppCallback.run(for: other) {
        #expect(AppCallback.isRunning(for: object) && AppCallback.isRunning(for: other))
      }
      async let child = awaited(object)
      #expect(await !child)
      return Task { AppCallback.isRunning(for: object) }
    }
    #expect(await !later.value, "a task that outlives the callback")
    #expect(!AppCallback.isRunning(for: object))
  }

  @MainActor
  @Test("A callback on the main actor is recognised")
  func mainActor() async {
    let object = Object()
    let isInside = await AppCallback.run(for: object) { AppCallback.isRunning(for: object) }
    #expect(isInside)
  }

  private func awaited(_ object: Object) async -> Bool {
    await Task.yield()
    return AppCallback.isRunning(for: object)
  }
}
