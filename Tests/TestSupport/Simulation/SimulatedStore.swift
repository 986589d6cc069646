package import Foundation
package import OstiaryCore

/// The store of a life. Its operations stop before they are done, some also afterwards.
///
/// Used by the thread of the life alone.
package final class SimulatedStore: SessionStore, @unchecked Sendable {
  private struct Entry {
    var data: Data?
    var isEnded = false
    var change: UInt64
  }

  private let simulation: Simulation
  private let name: String
  private var entries: [SessionKey: Entry] = [:]
  private var changes: UInt64 = 0
  private var holders: Set<SessionKey> = []

  package init(_ simulation: Simulation, _ name: String) {
    self.simulation = simulation
    self.name = name
  }

  /// The keys under which something is stored.
  package var keys: [SessionKey] {
    entries.filter { $0.value.data != nil && !$0.value.isEnded }.keys.sorted { $0.name < $1.name }
  }

  package func stamp(of key: SessionKey) -> StoreStamp? { StoreStamp(entries[key]?.change ?? 0) }

  package func load(_ key: SessionKey) async -> StoreReading {
    await simulation.checkpoint("\(name) load")
    let reading = entries[key]?.data.map(StoreReading.present) ?? .absent
    if simulation.chance(0.3) { await simulation.checkpoint("\(name) loaded") }
    return reading
  }

  package func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  package func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await change("save", key, expected, to: data)
  }

  package func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    _ = try await change("remove", key, expected, to: nil)
  }

  package func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    _ = try await change("end", key, expected, to: entry, isEnded: true)
  }

  private func change(
    _ what: String, _ key: SessionKey, _ expected: StoreExpectation, to data: Data?, isEnded: Bool = false
  ) async throws -> StoreStamp? {
    await simulation.checkpoint("\(name) \(what)")
    guard expected.matches(entries[key]?.data) else { throw OstiaryError.storeConflict }
    changes += 1
    entries[key] = Entry(data: data, isEnded: isEnded, change: changes)
    simulation.note("  \(name) \(what) \(key.name.prefix(20))")
    let stamp = stamp(of: key)
    if simulation.chance(0.3) { await simulation.checkpoint("\(name) \(what) done") }
    return stamp
  }

  package func accounts() async throws -> [SessionKey] {
    await simulation.checkpoint("\(name) accounts")
    let keys = keys
    if simulation.chance(0.3) { await simulation.checkpoint("\(name) accounts done") }
    return keys
  }

  package var exclusiveAccessCanBeLost: Bool { false }

  package func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    var waited = 0.0
    while !holders.insert(key).inserted {
      guard waited < patience.seconds else { throw OstiaryError.storeBusy }
      try await simulation.sleep(for: .seconds(1))
      waited += 1
    }
    defer { holders.remove(key) }
    return try await body()
  }
}
