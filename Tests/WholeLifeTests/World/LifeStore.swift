import Foundation
import OstiaryCore
import TestSupport

/// The store that the processes of a life share, and what goes wrong with it. Each process sees it through a ``StoreView``.
final class LifeStore: @unchecked Sendable {
  // Used by the thread of the life alone.
  struct Entry {
    var data: Data?
    var isEnded = false
    var change: UInt64 = 0
    /// Damage that the next reading tells, once; what was there has been put aside.
    var tellsDamage = false
  }

  let simulation: Simulation
  let hasStamps: Bool
  let losesAccess: Bool
  var entries: [SessionKey: Entry] = [:]
  var isLocked = false
  /// How probable it is that an operation goes wrong.
  var trouble = 0.0
  private var changes: UInt64 = 0
  private var holders: [SessionKey: Int] = [:]
  private var lastHolder = 0

  init(_ simulation: Simulation, hasStamps: Bool, losesAccess: Bool) {
    self.simulation = simulation
    self.hasStamps = hasStamps
    self.losesAccess = losesAccess
  }

  func contains(_ value: String, under key: SessionKey) -> Bool {
    entries[key]?.data?.range(of: Data(value.utf8)) != nil
  }

  func put(_ data: Data?, _ key: SessionKey, isEnded: Bool = false) {
    changes += 1
    let text = String(decoding: data ?? Data(), as: UTF8.self)
    let values = text.matches(of: /[ACRT]F\d+N\d+z/).map { String($0.output) }
    simulation.note("  stored: \(isEnded ? "ended" : data == nil ? "nothing" : "\(values)")")
    entries[key] = Entry(data: data, isEnded: isEnded, change: changes)
  }

  /// Damages what is stored: in its place, or so that the store puts it aside.
  func damage(_ key: SessionKey, aside: Bool) {
    guard entries[key]?.data != nil else { return }
    put(aside ? nil : Data("damaged".utf8), key)
    entries[key]?.tellsDamage = aside
  }

  /// Exclusive access ends though its holders live.
  func loseAccess() { if losesAccess { holders = [:] } }

  func take(_ key: SessionKey) -> Int? {
    guard holders[key] == nil else { return nil }
    lastHolder += 1
    holders[key] = lastHolder
    return lastHolder
  }

  func leave(_ key: SessionKey, _ holder: Int) { if holders[key] == holder { holders[key] = nil } }
}

/// One process's view of the store.
struct StoreView: SessionStore {
  let store: LifeStore
  let process: LifeProcess

  private var name: String { "P\(process.number)" }

  private static func unavailable(_ why: String) -> OstiaryError { OstiaryError(.storeUnavailable, why) }

  private func check() throws {
    if process.isDead { throw Self.unavailable("The process is dead.") }
    if store.isLocked { throw Self.unavailable("The store is locked.") }
  }

  var exclusiveAccessCanBeLost: Bool { store.losesAccess }

  func stamp(of key: SessionKey) -> StoreStamp? {
    guard store.hasStamps, !store.isLocked else { return nil }
    return StoreStamp(store.entries[key]?.change ?? 0)
  }

  func load(_ key: SessionKey) async -> StoreReading {
    await store.simulation.checkpoint("\(name) load")
    do { try check() } catch { return .unavailable(Self.unavailable("The store is locked.")) }
    if store.simulation.chance(store.trouble) { return .unavailable(Self.unavailable("The store did not answer.")) }
    let reading: StoreReading
    if store.entries[key]?.tellsDamage == true {
      store.entries[key]?.tellsDamage = false
      reading = .unavailable(OstiaryError(.storeCorrupt, "What was stored is damaged."))
    } else {
      reading = store.entries[key]?.data.map(StoreReading.present) ?? .absent
    }
    await store.simulation.checkpoint("\(name) loaded")
    return reading
  }

  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    // What is stored when the writer learns of it may be another process's.
    var stamp: StoreStamp?
    try await change("save", key, expected) {
      store.put(data, key)
      stamp = self.stamp(of: key)
    }
    return stamp
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await change("remove", key, expected) { store.put(nil, key) }
  }

  func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await change("end", key, expected) { store.put(entry, key, isEnded: true) }
  }

  private func change(
    _ what: String, _ key: SessionKey, _ expected: StoreExpectation, _ body: () -> Void
  ) async throws {
    await store.simulation.checkpoint("\(name) \(what)")
    try check()
    let trouble = store.simulation.chance(store.trouble) ? store.simulation.number(1...3) : 0
    if trouble == 1 { throw Self.unavailable("The store can't be written.") }
    if trouble == 2 { throw OstiaryError.storeConflict }
    guard expected.matches(store.entries[key]?.data) else { throw OstiaryError.storeConflict }
    body()
    if trouble == 3 { throw Self.unavailable("The store's answer was lost.") }
    // What was written is written; the writer learns of it later.
    if store.simulation.chance(0.3) { await store.simulation.checkpoint("\(name) \(what) done") }
  }

  func accounts() async throws -> [SessionKey] {
    store.entries.filter { $0.value.data != nil && !$0.value.isEnded }.keys.sorted { $0.name < $1.name }
  }

  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await store.simulation.checkpoint("\(name) access")
    try check()
    if store.simulation.chance(store.trouble / 2) { throw Self.unavailable("There is no way to lock.") }
    var waited = 0.0
    while true {
      if let holder = store.take(key) {
        defer { store.leave(key, holder) }
        process.access.append((key, holder))
        return try await body()
      }
      guard waited < patience.seconds else { throw OstiaryError.storeBusy }
      // As a lock of the operating system: it is tried again, now and then.
      try await store.simulation.sleep(for: .seconds(1))
      if process.isDead { throw Self.unavailable("The process is dead.") }
      waited += 1
    }
  }
}
