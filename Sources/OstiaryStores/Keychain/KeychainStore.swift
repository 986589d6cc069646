public import Foundation
public import OstiaryCore

/// Keeps sessions in the keychain of an Apple platform.
///
/// - **Private.** After the first unlock and on this device only, unless another ``KeychainProtection`` is chosen.
/// - **Honest.** A locked keychain, a user who declines and a missing entitlement are *unavailable*; only "not found" is
///   *absent*. What is damaged is reported once and kept under the service's name with `.damaged`.
/// - **Safe.** An item is added, and changed where it is there already; never deleted to be added again. A session that
///   is too large for one item is split; it is never half old and half new.
/// - **Shared.** Apps and extensions of an access group share sessions. The keychain has no locks, so comparing, and
///   ``withExclusiveAccess(to:patience:_:)``, use locks on files in a folder that they share too (`flock`).
///
/// On other platforms this type can't be made.
public final class KeychainStore: SessionStore {
  private let items: SharedItems
  private let marker: InstallMarker?
  private let isMarked = Locked(false)

  /// Makes a store above any keychain.
  /// - Parameters:
  ///   - pieceLimit: the largest item, in bytes.
  ///   - lockFolder: for the locks, the same for all processes that share the items.
  ///   - installMarker: what goes with the app. Where it is missing, everything that is stored is removed before the first
  ///     use.
  package init(
    service: String, access: any KeychainAccess, protection: KeychainProtection = KeychainProtection(),
    pieceLimit: Int = 64 * 1024, lockFolder: URL, installMarker: InstallMarker? = nil, clock: any SessionClock = .system
  ) {
    items = SharedItems(
      sessions: ItemSessions(
        service: service, vault: KeychainVault(access: access, protection: protection), pieceLimit: pieceLimit),
      locks: LockFolder(lockFolder, clock: clock), queue: BlockingQueue(label: "ostiary.keychain-store"))
    marker = installMarker
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    do {
      try await forgetAfterReinstall()
    } catch {
      return .unavailable(error as? OstiaryError ?? OstiaryError(.storeUnavailable, "The keychain could not be read."))
    }
    return await items.load(key)
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    try await forgetAfterReinstall()
    try await items.save(data, for: key, replacing: expected)
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await forgetAfterReinstall()
    try await items.remove(key, ifHolding: expected)
  }

  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await endOrRemove(key, with: entry, ifHolding: expected) {
      try await forgetAfterReinstall()
      try await items.end(key, with: entry, ifHolding: expected)
    }
  }

  /// The lock is one on a file, which is free when its holder dies, and not before.
  public var exclusiveAccessCanBeLost: Bool { false }

  public func accounts() async throws -> [SessionKey] {
    try await forgetAfterReinstall()
    return try await items.accounts()
  }

  /// Removes every session of this service, and what was kept of damaged ones.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable`; some may have been removed then.
  public func removeAll() async throws {
    try await items.removeAll()
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    // Before the lock leaves a file, which tells that an earlier version ran here.
    try await forgetAfterReinstall()
    return try await items.locks.withExclusiveAccess(to: key, patience: patience, body)
  }

  /// Removes, once, what an earlier installation has left. The marker is written last, so that a keychain that is
  /// locked now is emptied later.
  private func forgetAfterReinstall() async throws {
    guard let marker, !isMarked.withLock({ $0 }) else { return }
    try await items.change(SessionKey("install marker")) { sessions throws(OstiaryError) in
      guard try !marker.isPresent() else { return }
      try sessions.removeAll()
      try marker.create()
    }
    isMarked.withLock { $0 = true }
  }
}
