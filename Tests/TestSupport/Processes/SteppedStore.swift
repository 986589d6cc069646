package import Foundation
package import OstiaryCore

/// A store that passes a step before and after each of its operations.
package struct SteppedStore: SessionStore {
  private let inner: any SessionStore
  private let trap: StepTrap

  package init(_ inner: any SessionStore, _ trap: StepTrap) {
    self.inner = inner
    self.trap = trap
  }

  package func load(_ key: SessionKey) async -> StoreReading {
    await trap.during {
      trap.pass("load begins")
      defer { trap.pass("load done") }
      return await inner.load(key)
    }
  }

  package func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  package func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await trap.during {
      trap.pass("save begins")
      let stamp = try await inner.saveStamped(data, for: key, replacing: expected)
      trap.pass("save done")
      return stamp
    }
  }

  package func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await trap.during {
      trap.pass("remove begins")
      try await inner.remove(key, ifHolding: expected)
      trap.pass("remove done")
    }
  }

  package func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await trap.during {
      trap.pass("end begins")
      try await inner.end(key, with: entry, ifHolding: expected)
      trap.pass("end done")
    }
  }

  package var exclusiveAccessCanBeLost: Bool { inner.exclusiveAccessCanBeLost }

  package func removeAll() async throws { try await inner.removeAll() }

  package func stamp(of key: SessionKey) -> StoreStamp? { inner.stamp(of: key) }

  package func accounts() async throws -> [SessionKey] { try await inner.accounts() }

  package func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await trap.during {
      trap.pass("lock begins")
      let result = try await inner.withExclusiveAccess(to: key, patience: patience) {
        trap.pass("locked")
        defer { trap.pass("unlock begins") }
        return try await body()
      }
      trap.pass("unlocked")
      return result
    }
  }
}
