package import Foundation

/// A store that hides what it holds until something new has been saved.
///
/// Signing in again takes the place of the stored session in one write: until the server has said yes, the old session
/// stays where it is, and at no moment is there none. A sign-in that was made after this store takes no harm: a write that
/// comes later than that fails with a conflict, and then it is shown.
package final class ReplacingStore: SessionStore {
  private let inner: any SessionStore
  private let made: Moment
  private let isReplaced = Locked(false)

  /// Makes a store that begins empty.
  package init(_ inner: any SessionStore, clock: any SessionClock) {
    self.inner = inner
    made = clock.moment
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
    var expected = try await expectation(key)
    for look in 1... {
      do {
        let stamp = try await inner.saveStamped(data, for: key, replacing: expected)
        isReplaced.withLock { $0 = true }
        return stamp
      } catch let error as OstiaryError where error.code == .storeConflict && look < Self.looksAtMost {
        expected = try await expectation(key)
      }
    }
    throw OstiaryError.storeConflict
  }

  /// What the first write replaces: what is there, unless it was signed in later.
  private func expectation(_ key: SessionKey) async throws -> StoreExpectation {
    switch await inner.load(key) {
    case .absent: return .nothing
    case .unavailable: return .anything
    case .present(let data):
      let begun = (try? SessionCodec.decodeEntry(data)).flatMap { $0.session == nil ? nil : $0.begun }
      if let begun, begun.isCertain(since: made), begun.seconds(since: made) > 0 {
        isReplaced.withLock { $0 = true }
        throw OstiaryError.storeConflict
      }
      return .exactly(data)
    }
  }

  /// How often to look again while others change what is stored.
  private static let looksAtMost = 8

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
