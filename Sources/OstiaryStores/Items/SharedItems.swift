import Foundation
import OstiaryCore

/// Sessions as items of a vault that several processes share: what a store is made of whose system has neither locks nor
/// a way to compare and write at once.
struct SharedItems: Sendable {
  let sessions: ItemSessions
  let locks: LockFolder
  let queue: BlockingQueue

  func load(_ key: SessionKey) async -> StoreReading {
    do {
      switch try await queue.run({ [sessions] () throws(OstiaryError) in try sessions.read(key) }) {
      case .absent: return .absent
      case .present(let data): return .present(data)
      // Perhaps another process was writing it at that moment.
      case .damaged: return try await readAfterDamage(key)
      }
    } catch {
      return .unavailable(error as? OstiaryError ?? OstiaryError(.storeUnavailable, "\(name) could not be read."))
    }
  }

  private var name: String { sessions.vault.name }

  private func readAfterDamage(_ key: SessionKey) async throws -> StoreReading {
    switch try await change(key, { sessions throws(OstiaryError) in try sessions.readKeepingDamagedAside(key) }) {
    case .absent: .absent
    case .present(let data): .present(data)
    case .damaged:
      .unavailable(
        OstiaryError(
          .storeCorrupt,
          "The session of \(key) in \(name) is damaged. It has been kept under \(sessions.damagedService)."))
    }
  }

  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    try await change(key) { sessions throws(OstiaryError) in try sessions.save(data, key, replacing: expected) }
  }

  func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await change(key) { sessions throws(OstiaryError) in try sessions.end(key, with: entry, ifHolding: expected) }
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await change(key) { sessions throws(OstiaryError) in try sessions.remove(key, ifHolding: expected) }
  }

  func accounts() async throws(OstiaryError) -> [SessionKey] {
    try await queue.run { [sessions] () throws(OstiaryError) in try sessions.keys() }
  }

  func removeAll() async throws(OstiaryError) {
    try await queue.run { [sessions] () throws(OstiaryError) in try sessions.removeAll() }
  }

  /// Runs a change while no other of the same key runs, here or in another process.
  func change<Value: Sendable>(
    _ key: SessionKey, _ body: @escaping @Sendable (ItemSessions) throws(OstiaryError) -> Value
  ) async throws -> Value {
    try await locks.change(key) { [queue, sessions] in
      try await queue.run { () throws(OstiaryError) in try body(sessions) }
    }
  }
}
