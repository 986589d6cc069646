internal import Foundation
internal import OstiaryCore

/// A store that hides what it holds until something new has been saved.
///
/// Signing in again takes the place of the stored session in one write: until the server has said yes, the old session
/// stays where it is, and at no moment is there none.
final class ReplacingStore: SessionStore {
  private let inner: any SessionStore
  private let isReplaced = Locked(false)

  init(_ inner: any SessionStore) {
    self.inner = inner
  }

  func load(_ key: SessionKey) async -> StoreReading {
    isReplaced.withLock { $0 } ? await inner.load(key) : .absent
  }

  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    if isReplaced.withLock({ $0 }) {
      try await inner.save(data, for: key, replacing: expected)
    } else {
      try await inner.save(data, for: key, replacing: .anything)
      isReplaced.withLock { $0 = true }
    }
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    guard isReplaced.withLock({ $0 }) else { return }
    try await inner.remove(key, ifHolding: expected)
  }

  func accounts() async throws -> [SessionKey] { try await inner.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await inner.withExclusiveAccess(to: key, patience: patience, body)
  }
}
