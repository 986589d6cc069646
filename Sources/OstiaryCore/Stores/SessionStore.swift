public import Foundation

/// Keeps sessions at rest, as bytes, and tells the truth about them.
///
/// A store must answer *present*, *absent* or *unavailable right now*, and a save that returned must survive the death
/// of the process. It must never guess: a locked keychain, a full disk or a permission problem is *unavailable*.
///
/// What the bytes mean is the session manager's business; a store that encrypts does so below this contract.
public protocol SessionStore: Sendable {
  /// Reads what is stored for `key`.
  func load(_ key: SessionKey) async -> StoreReading

  /// Writes `data` for `key`, durably and atomically, if what is stored now is `expected`. It is done also in a task that
  /// has been cancelled: what a server has given can't be had again.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it can't be written now, `storeConflict` when something else is
  ///   stored.
  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws

  /// Removes what is stored for `key`, if it is `expected`, also in a task that has been cancelled. Removing nothing is a
  /// success.
  /// - Throws: ``OstiaryError`` `storeUnavailable` or `storeConflict`, as for saving.
  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws

  /// Writes `entry` for `key` in the place of a session that has ended, durably and atomically, if what is stored now is
  /// `expected`. The entry says which sign-in ended and why; it holds no secret.
  ///
  /// To others an ended entry is as visible as a removal: once this has returned, every ``stamp(of:)`` shows it,
  /// ``load(_:)`` returns it, and ``accounts()`` does not list the key. The next save replaces it, a removal removes it.
  /// - Throws: ``OstiaryError`` `storeUnavailable` or `storeConflict`, as for saving.
  func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws

  /// Whether exclusive access can be lost while its holder lives: the lock of a database is lost with its connection, a
  /// lock of the operating system is not. Where it can, the session manager also writes a claim into the entry before it
  /// renews, which costs one more write for each renewal.
  var exclusiveAccessCanBeLost: Bool { get }

  /// Tells in about a microsecond, without waiting, whether what is stored for `key` may have changed: it has not if the
  /// stamp is the one that was taken before the last reading.
  ///
  /// With it a sign-out by another process is seen before the next request is sent: a removal that has returned must
  /// show in every stamp that any process takes from then on. A save may show as late as news needs to travel; till
  /// then the stamp stands for what was stored before. A store that can't tell that fast, or can't just now, answers
  /// `nil`; what others did is then seen when the session is next read.
  func stamp(of key: SessionKey) -> StoreStamp?

  /// Saves as ``save(_:for:replacing:)`` does, and tells the stamp for what has been saved, so that its writer need not
  /// read it again. It must stand for exactly that: a change by another writer, however soon, must make another.
  /// - Returns: the stamp, or `nil` from a store that does not know it.
  /// - Throws: ``OstiaryError``, as for saving.
  func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp?

  /// The keys for which something is stored, sorted by name.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when the store can't tell now, `storeCorrupt` when it has met something
  ///   damaged whose key can't be read any more, and has kept it aside; the next answer is without it.
  func accounts() async throws -> [SessionKey]

  /// Removes everything, also what the store has kept aside. Locks that others hold stay theirs.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when something is left.
  func removeAll() async throws

  /// Runs `body` while no other user of this store, in this process or another, runs a body for the same `key`.
  ///
  /// The access must end by itself when the holder dies. Reading, saving and removing stay possible for others.
  /// - Parameter patience: how long to wait for another holder.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when patience ran out or there is no way to lock, or what `body` throws.
  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result
}

extension SessionStore {
  public func stamp(of key: SessionKey) -> StoreStamp? { nil }

  /// Saves the entry; where that is refused for a reason other than a conflict, removes what is stored. A store with
  /// stamps or accounts of its own kind should do better.
  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await endOrRemove(key, with: entry, ifHolding: expected) {
      try await save(entry, for: key, replacing: expected)
    }
  }

  /// Does what ``end(_:with:ifHolding:)`` promises, given a way to write the entry: where it can't be written, what is
  /// stored is removed, so that a full disk keeps no user signed in.
  package func endOrRemove(
    _ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation, _ write: () async throws -> Void
  ) async throws {
    do {
      try await write()
    } catch let error as OstiaryError where error.code == .storeConflict {
      throw error
    } catch {
      do {
        try await remove(key, ifHolding: expected)
      } catch let conflict as OstiaryError where conflict.code == .storeConflict {
        // The write that failed may have been done all the same.
        guard await load(key) == .present(entry) else { throw conflict }
      }
    }
  }

  /// Exclusive access can be lost, unless a store says otherwise.
  public var exclusiveAccessCanBeLost: Bool { true }

  /// Saves, and does not know the stamp.
  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await save(data, for: key, replacing: expected)
    return nil
  }

  /// Removes what is stored for each of the ``accounts()``.
  public func removeAll() async throws {
    for key in try await accounts() { try await remove(key, ifHolding: .anything) }
  }
}

/// What a store says when it is read.
public enum StoreReading: Sendable, Equatable {
  /// This is stored.
  case present(Data)
  /// Nothing is stored.
  case absent
  /// The store can't tell now. An error `storeCorrupt` means that what was there can't be read any more: the store has
  /// kept it aside and will answer *absent* from now on.
  case unavailable(OstiaryError)
}

/// What a writer believes is stored.
public enum StoreExpectation: Sendable, Hashable {
  /// Anything, or nothing.
  case anything
  /// Nothing.
  case nothing
  /// Exactly these bytes.
  case exactly(Data)

  /// Whether `stored` is what was expected.
  public func matches(_ stored: Data?) -> Bool {
    switch self {
    case .anything: true
    case .nothing: stored == nil
    case .exactly(let data): stored == data
    }
  }
}

/// Stands for what a store held at one moment: while the stamp is the same, what is stored is the same.
///
/// The reverse need not hold; a stamp may change though nothing did, and costs its reader one more look.
public struct StoreStamp: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Makes a stamp of up to four numbers, of which at least one differs after every change.
  public init(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}
