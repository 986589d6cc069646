import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// What the conformance suite can't check without owning the time.
@Suite(.timeLimit(.minutes(20))) struct SessionStoreContractTests {
  /// A store that is under the contract.
  enum Kind: String, CaseIterable, Sendable {
    case ephemeral, file, faulty
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let key = SessionKey("app@example.org")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ kind: Kind) -> any SessionStore {
    switch kind {
    case .ephemeral: EphemeralStore(clock: clock)
    case .file: FileStore(folder: folder.store, clock: clock)
    case .faulty: FaultyStore(EphemeralStore(clock: clock))
    }
  }

  @Test("Invariant 7: running out of patience is unavailable, and says so", arguments: Kind.allCases)
  func patience(kind: Kind) async throws {
    let store = store(kind)
    let gate = Gate()
    let holder = Task { [key] in
      try await store.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
    }
    let waiter = Task { [key] in try await store.withExclusiveAccess(to: key, patience: .seconds(5)) {} }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: OstiaryError.self) { try await waiter.value }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.isTransient == true)
    gate.open()
    try await holder.value
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
  }

  @Test("Those who wait get in first come, first served; who is cancelled leaves the line", arguments: Kind.allCases)
  func order(kind: Kind) async throws {
    let store = store(kind)
    let gate = Gate()
    let order = Locked<[Int]>([])
    let holder = Task { [key] in
      try await store.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    var waiters: [Task<Void, any Error>] = []
    for number in 0..<10 {
      waiters.append(
        Task { [key] in
          try await store.withExclusiveAccess(to: key, patience: .seconds(60)) { order.withLock { $0.append(number) } }
        })
      try await clock.waitForSleepers(number + 1)
    }
    for number in [0, 4, 9] {
      waiters[number].cancel()
      await #expect(throws: CancellationError.self) { try await waiters[number].value }
    }
    gate.open()
    try await holder.value
    for number in [1, 2, 3, 5, 6, 7, 8] { try await waiters[number].value }
    #expect(order.withLock { $0 } == [1, 2, 3, 5, 6, 7, 8])
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
  }
}
