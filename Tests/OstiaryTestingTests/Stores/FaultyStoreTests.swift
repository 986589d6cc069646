import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaultyStoreTests {
  private let store = FaultyStore()
  private let key = SessionKey("app")
  private let a = Data("a".utf8)
  private let b = Data("b".utf8)
  private let unavailable = OstiaryError(.storeUnavailable, "")

  @Test("A locked store is unavailable for everything, and has lost nothing when it is unlocked")
  func locked() async throws {
    try await store.save(a, for: key, replacing: .nothing)
    store.lock()
    #expect(await store.load(key) == .unavailable(unavailable))
    await #expect(throws: unavailable) { try await store.save(b, for: key, replacing: .anything) }
    await #expect(throws: unavailable) { try await store.remove(key, ifHolding: .anything) }
    await #expect(throws: unavailable) { try await store.end(key, with: b, ifHolding: .anything) }
    await #expect(throws: unavailable) { try await store.accounts() }
    await #expect(throws: unavailable) { try await store.withExclusiveAccess(to: key, patience: .zero) {} }
    store.unlock()
    #expect(await store.load(key) == .present(a))
    #expect(FaultyStore.Operation.allCases.map(store.count) == [2, 2, 1, 1, 1, 1])
    #expect(store.saved == [a])
  }

  @Test("A full store can be read and emptied, but not written")
  func full() async throws {
    try await store.save(a, for: key, replacing: .nothing)
    store.isFull = true
    await #expect(throws: unavailable) { try await store.save(b, for: key, replacing: .anything) }
    #expect(await store.load(key) == .present(a))
    try await store.remove(key, ifHolding: .exactly(a))
    store.isFull = false
    try await store.save(b, for: key, replacing: .nothing)
  }

  @Test("Damage is told once, then there is nothing")
  func corrupt() async throws {
    try await store.save(a, for: key, replacing: .nothing)
    store.inject(.corrupt, into: .load, at: .nth(2))
    #expect(await store.load(key) == .present(a))
    #expect(await store.load(key) == .unavailable(OstiaryError(.storeCorrupt, "")))
    #expect(await store.load(key) == .absent)
  }

  @Test("Faults befall the operation and the number that were named")
  func numbered() async throws {
    store.inject(.unavailable, into: .save, at: .nth(2))
    store.inject(.conflict, into: .save, at: .nth(3))
    store.inject(.failsAfterwards, into: .save, at: .nth(4))
    try await store.save(a, for: key, replacing: .nothing)
    await #expect(throws: unavailable) { try await store.save(b, for: key, replacing: .exactly(a)) }
    await #expect(throws: OstiaryError(.storeConflict, "")) {
      try await store.save(b, for: key, replacing: .exactly(a))
    }
    #expect(await store.load(key) == .present(a))
    await #expect(throws: unavailable) { try await store.save(b, for: key, replacing: .exactly(a)) }
    #expect(await store.load(key) == .present(b))
    store.inject(.unavailable, into: .remove)
    await #expect(throws: unavailable) { try await store.remove(key, ifHolding: .anything) }
    store.heal()
    try await store.remove(key, ifHolding: .anything)
  }

  @Test("A slow store waits at its gate or for its clock, and finds the lock as it is when it goes on")
  func slow() async throws {
    let clock = ManualClock()
    let store = FaultyStore(clock: clock)
    let gate = Gate()
    store.inject(.hold(gate), into: .load, at: .nth(1))
    store.inject(.delay(.seconds(3)), into: .load, at: .nth(2))
    let held = Task { [key] in await store.load(key) }
    try await gate.waitForWaiting()
    try await store.waitFor(.load)
    store.lock()
    gate.open()
    #expect(await held.value == .unavailable(unavailable))
    store.unlock()
    let delayed = Task { [key] in await store.load(key) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(await delayed.value == .absent)
  }

  @Test("Checkpoints are passed before and after each operation")
  func checkpoints() async throws {
    let passed = Locked<[String]>([])
    let store = FaultyStore(checkpoint: { place in passed.withLock { $0.append(place) } })
    _ = await store.load(key)
    try await store.withExclusiveAccess(to: key, patience: .zero) { [key, a] in
      try await store.save(a, for: key, replacing: .nothing)
    }
    #expect(
      passed.withLock { $0 } == [
        "load begins", "load done", "exclusiveAccess begins", "save begins", "save done", "exclusiveAccess done",
      ])
  }
}
