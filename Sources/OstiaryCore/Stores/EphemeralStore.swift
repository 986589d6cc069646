public import Foundation

/// Keeps sessions in memory: gone when the process is, shared by whoever shares the instance.
///
/// Exclusive access is given first come, first served.
public final class EphemeralStore: SessionStore {
  private struct Entry {
    let data: Data
    /// The number of the change that made it.
    let change: UInt64
  }

  private struct Contents {
    private(set) var entries: [SessionKey: Entry] = [:]
    private var changes: UInt64 = 0

    subscript(key: SessionKey) -> Data? {
      get { entries[key]?.data }
      set {
        changes &+= 1
        entries[key] = newValue.map { Entry(data: $0, change: changes) }
      }
    }
  }

  private let stored = Locked(Contents())
  private let line: ExclusiveLine

  /// Makes an empty store.
  /// - Parameter clock: measures the patience of those who wait for exclusive access.
  public init(clock: any SessionClock = .system) {
    line = ExclusiveLine(clock: clock)
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    stored.withLock { $0[key] }.map(StoreReading.present) ?? .absent
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    try stored.withLock { stored in
      guard expected.matches(stored[key]) else { throw OstiaryError.storeConflict }
      stored[key] = data
    }
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try stored.withLock { stored in
      guard let data = stored[key] else { return }
      guard expected.matches(data) else { throw OstiaryError.storeConflict }
      stored[key] = nil
    }
  }

  public func stamp(of key: SessionKey) -> StoreStamp? {
    StoreStamp(stored.withLock { $0.entries[key]?.change ?? 0 })
  }

  public func accounts() async throws -> [SessionKey] {
    stored.withLock { $0.entries.keys.sorted { $0.name < $1.name } }
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await line.enter(key, patience: patience)
    defer { line.leave(key) }
    return try await body()
  }
}

extension SessionStore where Self == EphemeralStore {
  /// A new store in memory.
  public static var ephemeral: EphemeralStore { EphemeralStore() }
}

extension OstiaryError {
  package static var storeConflict: OstiaryError {
    OstiaryError(
      .storeConflict, "The stored session has changed in the meantime.",
      advice: "Read it again and decide anew.")
  }

  package static var storeBusy: OstiaryError {
    OstiaryError(
      .storeUnavailable, "Somebody else is working on the stored session and did not finish in time.",
      advice: "Try again; nobody has been signed out.")
  }
}
