import Foundation
import HTTPTypes
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

@Suite("Exclusive access that is held", .timeLimit(.minutes(5)))
struct HeldAccessTests {
  /// A store that knows by a task-local value who has exclusive access, as a database's store does that has to use the
  /// connection which holds the lock.
  private struct TaskLocalStore: SessionStore {
    @TaskLocal static var hasAccess = false

    let inner = EphemeralStore()
    let steps = Locked<[String]>([])

    private func note(_ step: String) {
      steps.withLock { $0.append("\(step) \(Self.hasAccess ? "inside" : "outside")") }
    }

    func load(_ key: SessionKey) async -> StoreReading {
      note("load")
      return await inner.load(key)
    }

    func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      note("save")
      try await inner.save(data, for: key, replacing: expected)
    }

    func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      note("remove")
      try await inner.remove(key, ifHolding: expected)
    }

    func accounts() async throws -> [SessionKey] { try await inner.accounts() }

    func removeAll() async throws { try await inner.removeAll() }

    func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      note("lock")
      return try await Self.$hasAccess.withValue(true) {
        try await inner.withExclusiveAccess(to: key, patience: patience, body)
      }
    }
  }

  @Test("What is read and written with exclusive access is read and written in the task that has it")
  func task() async throws {
    let store = TaskLocalStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    store.steps.withLock { $0 = [] }
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    try await manager.flush()
    let steps = store.steps.withLock { $0 }
    let lock = try #require(steps.firstIndex(of: "lock outside"))
    // A look, the claim, the new proof.
    #expect(steps[(lock + 1)...] == ["load inside", "save inside", "save inside"])
  }

  /// A store whose lock excludes no other process, like one whose connection has ended unnoticed.
  private struct UnlockedStore: SessionStore {
    let inner = EphemeralStore()

    func load(_ key: SessionKey) async -> StoreReading { await inner.load(key) }

    func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      try await inner.save(data, for: key, replacing: expected)
    }

    func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      try await inner.remove(key, ifHolding: expected)
    }

    func accounts() async throws -> [SessionKey] { try await inner.accounts() }

    func removeAll() async throws { try await inner.removeAll() }

    func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result { try await body() }
  }

  @Test("A claim of another process is waited for as long as the manager has patience; the used token is not shown")
  func claim() async throws {
    let fixture = ManagerFixture(store: UnlockedStore())
    let (here, there) = (fixture.manager { $0.patience = .seconds(10) }, fixture.manager())
    try await there.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let answer = Gate()
    fixture.transport.inject(.holdResponse(answer), into: .post("/renew"))
    let renewal = Task { try await AuthenticatedTransport(there).send(ManagerFixture.request()).status }
    try await answer.waitForArrivals(1)

    let clock = Task {
      while !Task.isCancelled {
        try await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(1))
      }
    }
    let error = await failure { try await AuthenticatedTransport(here).send(ManagerFixture.request()) }
    clock.cancel()
    #expect(error?.isTransient == true, "\(String(describing: error))")
    answer.open()
    #expect(try await renewal.value == .ok)
    #expect(try await AuthenticatedTransport(here).send(ManagerFixture.request()).status == .ok)
    let counts = fixture.server.counts
    #expect(counts.renewals == 1 && counts.reusedRenewalTokens == 0, "\(counts)")
  }

  @Test("Work that is submitted runs in order and before the release; work after it is refused")
  func order() async {
    let held = HeldAccess()
    let done = Locked<[Int]>([])
    for number in 0..<3 { #expect(held.submit { done.withLock { $0.append(number) } }) }
    held.release()
    #expect(!held.submit { done.withLock { $0.append(3) } })
    await held.run()
    #expect(done.withLock { $0 } == [0, 1, 2])
  }

  @Test("A body whose task is cancelled holds the access until it is let go")
  func cancelled() async throws {
    let held = HeldAccess()
    let body = Task { await held.run() }
    body.cancel()
    let ran = Gate()
    #expect(held.submit { ran.open() })
    try await ran.pass()
    held.release()
    await body.value
  }
}
