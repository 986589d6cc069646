package import Foundation

/// A store that hides what it holds until something new has been saved.
///
/// Signing in again takes the place of the stored session in one write: until the server has said yes, the old session
/// stays where it is, and at no moment is there none.
package final class ReplacingStore: SessionStore {
  private let inner: any SessionStore
  private let isReplaced = Locked(false)

  /// Makes a store that begins empty.
  package init(_ inner: any SessionStore) {
    self.inner = inner
  }

  package func load(_ key: SessionKey) async -> StoreReading {
    isReplaced.withLock { $0 } ? await inner.load(key) : .absent
  }

  package func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  package func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    if isReplaced.withLock({ $0 }) {
      return try await inner.saveStamped(data, for: key, replacing: expected)
    }
    let stamp = try await inner.saveStamped(data, for: key, replacing: .anything)
    isReplaced.withLock { $0 = true }
    return stamp
  }

  package func stamp(of key: SessionKey) -> StoreStamp? {
    isReplaced.withLock { $0 } ? inner.stamp(of: key) : nil
  }

  package func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    guard isReplaced.withLock({ $0 }) else { return }
    try await inner.remove(key, ifHolding: expected)
  }

  package func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    guard isReplaced.withLock({ $0 }) else { return }
    try await inner.end(key, with: entry, ifHolding: expected)
  }

  package var exclusiveAccessCanBeLost: Bool { inner.exclusiveAccessCanBeLost }

  package func accounts() async throws -> [SessionKey] { try await inner.accounts() }

  package func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await inner.withExclusiveAccess(to: key, patience: patience, body)
  }
}
