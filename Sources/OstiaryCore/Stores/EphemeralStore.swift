public import Foundation

/// Keeps sessions in memory: gone when the process is, shared by all code that has the instance.
///
/// Exclusive access is given first come, first served.
public final class EphemeralStore: SessionStore {
  private struct Entry {
    let data: Data
    let isEnded: Bool
    /// The number of the change that made it.
    let change: UInt64
  }

  private struct Contents {
    private(set) var entries: [SessionKey: Entry] = [:]
    private var changes: UInt64 = 0
    /// The number of the last removal of anything.
    private var removal: UInt64 = 0

    subscript(key: SessionKey) -> Data? { entries[key]?.data }

    mutating func put(_ data: Data, for key: SessionKey, isEnded: Bool = false) {
      changes &+= 1
      entries[key] = Entry(data: data, isEnded: isEnded, change: changes)
    }

    mutating func remove(_ key: SessionKey) {
      changes &+= 1
      removal = changes
      entries[key] = nil
    }

    /// What has been removed since must not look like what was never there: a task may have read it in between.
    func stamp(of key: SessionKey) -> StoreStamp { StoreStamp(entries[key]?.change ?? removal) }
  }

  private let stored = Locked(Contents())
  private let line: KeyedAsyncLock

  /// Makes an empty store.
  /// - Parameter clock: measures the patience of those who wait for exclusive access.
  public init(clock: any SessionClock = .system) {
    line = KeyedAsyncLock(clock: clock)
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    stored.withLock { $0[key] }.map(StoreReading.present) ?? .absent
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try stored.withLock { stored in
      guard expected.matches(stored[key]) else { throw OstiaryError.storeConflict }
      stored.put(data, for: key)
      return stored.stamp(of: key)
    }
  }

  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try stored.withLock { stored in
      guard expected.matches(stored[key]) else { throw OstiaryError.storeConflict }
      stored.put(entry, for: key, isEnded: true)
    }
  }

  /// It is a lock of this process alone.
  public var exclusiveAccessCanBeLost: Bool { false }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try stored.withLock { stored in
      guard let data = stored[key] else { return }
      guard expected.matches(data) else { throw OstiaryError.storeConflict }
      stored.remove(key)
    }
  }

  public func removeAll() async throws {
    stored.withLock { stored in for key in stored.entries.keys { stored.remove(key) } }
  }

  public func stamp(of key: SessionKey) -> StoreStamp? {
    stored.withLock { $0.stamp(of: key) }
  }

  public func accounts() async throws -> [SessionKey] {
    stored.withLock { $0.entries.filter { !$0.value.isEnded }.keys.sorted { $0.name < $1.name } }
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
}
