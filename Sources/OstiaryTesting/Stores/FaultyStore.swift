public import Foundation
public import OstiaryCore

/// A store that can be locked, full, slow, corrupt or contested, and counts what is asked of it.
///
/// ```swift
/// let store = FaultyStore()
/// store.lock()                                        // like a keychain before the first unlock
/// store.inject(.unavailable, into: .save, at: .nth(2))
/// store.inject(.hold(gate), into: .load)
/// ```
public final class FaultyStore: SessionStore {
  /// What can be asked of a store.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// ``/OstiaryCore/SessionStore/load(_:)``
    case load
    /// ``/OstiaryCore/SessionStore/save(_:for:replacing:)``
    case save
    /// ``/OstiaryCore/SessionStore/remove(_:ifHolding:)``
    case remove
    /// ``/OstiaryCore/SessionStore/end(_:with:ifHolding:)``
    case end
    /// ``/OstiaryCore/SessionStore/accounts()``
    case accounts
    /// ``/OstiaryCore/SessionStore/withExclusiveAccess(to:patience:_:)``
    case exclusiveAccess
  }

  /// What can go wrong with an operation.
  public enum Fault: Sendable {
    /// It can't be done now, and nothing has been done.
    case unavailable
    /// It waits at a gate first.
    case hold(Gate)
    /// It takes so long, by the store's clock.
    case delay(Duration)
    /// What is stored turns out to be damaged, once: loading says so, afterwards there is nothing.
    case corrupt
    /// Saving, ending and removing find that another writer was faster.
    case conflict
    /// Saving, ending and removing are done, and yet end with an error.
    case failsAfterwards
  }

  private struct Rule: Sendable {
    let fault: Fault
    let operation: Operation
    let occurrence: Occurrence
    var seen = 0
  }

  private struct State: Sendable {
    var isLocked = false
    var isFull = false
    var rules: [Rule] = []
    var saved: [Data] = []
    var ended: [Data] = []
  }

  private let inner: any SessionStore
  private let clock: any SessionClock
  private let checkpoint: Checkpoint?
  private let state = Locked(State())
  private let counts = Observed<[Operation: Int]>([:])

  /// Makes a store that does nothing wrong yet.
  /// - Parameters:
  ///   - inner: keeps the sessions.
  ///   - clock: measures delays.
  ///   - checkpoint: is passed before and after every operation, as `"save begins"` and `"save done"`.
  public init(
    _ inner: any SessionStore = EphemeralStore(), clock: any SessionClock = .system, checkpoint: Checkpoint? = nil
  ) {
    self.inner = inner
    self.clock = clock
    self.checkpoint = checkpoint
  }

  // MARK: What the test does to it

  /// Makes every operation unavailable until ``unlock()``, as a keychain is while the device is locked.
  public func lock() {
    state.withLock { $0.isLocked = true }
  }

  /// Ends what ``lock()`` began.
  public func unlock() {
    state.withLock { $0.isLocked = false }
  }

  /// Whether saving fails for lack of space.
  public var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  /// Breaks some of the operations of a kind. Each rule counts its own.
  public func inject(_ fault: Fault, into operation: Operation, at occurrence: Occurrence = .every) {
    state.withLock { $0.rules.append(Rule(fault: fault, operation: operation, occurrence: occurrence)) }
  }

  /// Takes back everything that was injected, unlocks, and makes room. Operations under way keep their faults.
  public func heal() {
    state.withLock { state in
      state.rules = []
      state.isLocked = false
      state.isFull = false
    }
  }

  // MARK: What was seen

  /// How many operations of a kind were asked for, failed ones too.
  public func count(_ operation: Operation) -> Int { counts.read { $0[operation] ?? 0 } }

  /// Waits until there were `count` operations of a kind.
  /// - Throws: ``WaitTimedOut`` when there weren't within `limit` of real time.
  public func waitFor(_ operation: Operation, count: Int = 1, within limit: Duration = .seconds(120)) async throws {
    _ = try await counts.wait(for: "\(count) × \(operation)", within: limit) {
      ($0[operation] ?? 0) >= count ? true : nil
    }
  }

  /// Everything that was saved, in order.
  public var saved: [Data] { state.withLock { $0.saved } }

  /// Every entry that was written in the place of a session, in order.
  public var ended: [Data] { state.withLock { $0.ended } }

  // MARK: SessionStore

  public func stamp(of key: SessionKey) -> StoreStamp? {
    state.withLock { $0.isLocked } ? nil : inner.stamp(of: key)
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    await checkpoint?("load begins")
    let reading: StoreReading
    do {
      let faults = try await begin(.load)
      if faults.contains(where: { if case .corrupt = $0 { true } else { false } }) {
        try await inner.remove(key, ifHolding: .anything)
        reading = .unavailable(OstiaryError(.storeCorrupt, "What the store held is damaged."))
      } else {
        reading = await inner.load(key)
      }
    } catch {
      reading = .unavailable(error as? OstiaryError ?? Self.unavailable)
    }
    await checkpoint?("load done")
    return reading
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await change(.save) {
      if state.withLock({ $0.isFull }) { throw OstiaryError(.storeUnavailable, "The store is full.") }
      let stamp = try await inner.saveStamped(data, for: key, replacing: expected)
      state.withLock { $0.saved.append(data) }
      return stamp
    }
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await change(.remove) { try await inner.remove(key, ifHolding: expected) }
  }

  /// Where there is no room for the entry, what is stored is removed.
  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await change(.end) {
      if state.withLock({ $0.isFull }) { return try await inner.remove(key, ifHolding: expected) }
      try await inner.end(key, with: entry, ifHolding: expected)
      state.withLock { $0.ended.append(entry) }
    }
  }

  public var exclusiveAccessCanBeLost: Bool { inner.exclusiveAccessCanBeLost }

  /// Removes everything, unless the store is locked. It is not counted.
  public func removeAll() async throws {
    if state.withLock({ $0.isLocked }) { throw OstiaryError(.storeUnavailable, "The store is locked.") }
    try await inner.removeAll()
  }

  public func accounts() async throws -> [SessionKey] {
    await checkpoint?("accounts begins")
    _ = try await begin(.accounts)
    let keys = try await inner.accounts()
    await checkpoint?("accounts done")
    return keys
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await checkpoint?("exclusiveAccess begins")
    _ = try await begin(.exclusiveAccess)
    let result = try await inner.withExclusiveAccess(to: key, patience: patience, body)
    await checkpoint?("exclusiveAccess done")
    return result
  }

  private func change<Result: Sendable>(
    _ operation: Operation, _ body: () async throws -> Result
  ) async throws -> Result {
    await checkpoint?("\(operation) begins")
    let faults = try await begin(operation)
    for case .conflict in faults {
      throw OstiaryError(.storeConflict, "Another process has changed the stored session.")
    }
    let result = try await body()
    await checkpoint?("\(operation) done")
    for case .failsAfterwards in faults { throw Self.unavailable }
    return result
  }

  /// Counts the operation and lets befall it what befalls it before it is done.
  private func begin(_ operation: Operation) async throws -> [Fault] {
    let faults = state.withLock { state in
      var faults: [Fault] = []
      for index in state.rules.indices where state.rules[index].operation == operation {
        state.rules[index].seen += 1
        if state.rules[index].occurrence.includes(state.rules[index].seen) { faults.append(state.rules[index].fault) }
      }
      return faults
    }
    counts.update { $0[operation, default: 0] += 1 }
    for fault in faults {
      switch fault {
      case .hold(let gate): try await gate.pass()
      case .delay(let duration): try await clock.sleep(for: duration)
      case .unavailable: throw Self.unavailable
      case .corrupt, .conflict, .failsAfterwards: break
      }
    }
    // Looked at last, so that an operation that was held finds the store as it is when it goes on.
    if state.withLock({ $0.isLocked }) { throw OstiaryError(.storeUnavailable, "The store is locked.") }
    return faults
  }

  private static var unavailable: OstiaryError {
    OstiaryError(.storeUnavailable, "The store is not available now.")
  }
}
