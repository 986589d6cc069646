public import Foundation
public import OstiaryCore

/// Seals what another store keeps: encrypted and authenticated, bound to the account it belongs to.
///
/// ```swift
/// let store = SealedStore(database, keys: .keyFile(URL(filePath: "/etc/mail/session.key")))
/// ```
///
/// Comparing is by the session, not by the sealed bytes, which differ each time. What was changed or cut is
/// `storeCorrupt`, is kept aside in the same store, and is absent from then on. What was sealed with a key that is not
/// at hand is *unavailable*, and stays: no user is signed out because a key file was not mounted. The `underlying`
/// error is a ``SealingError`` in each case.
public struct SealedStore: SessionStore {
  /// How often another writer may be faster in one call.
  private static let tries = 100
  private static let asidePrefix = "ostiary:damaged:"

  private let inner: any SessionStore
  private let source: any SealingKeySource
  private let clock: any SessionClock
  private let identity = SealedAccess.Owner()

  /// Makes a store.
  /// - Parameters:
  ///   - inner: keeps what has been sealed. Its keys are the sessions', in clear.
  ///   - keys: where the keys come from.
  ///   - clock: dates what is kept aside.
  public init(_ inner: any SessionStore, keys: any SealingKeySource, clock: any SessionClock = .system) {
    self.inner = inner
    source = keys
    self.clock = clock
  }

  // MARK: SessionStore

  public func load(_ key: SessionKey) async -> StoreReading {
    let access = SealedAccess.current(to: key, identity)
    _ = access?.take()
    do {
      guard let stored = try await read(key), let data = stored.data else { return .absent }
      access?.note(data, sealedAs: stored.record)
      return .present(data)
    } catch let error as OstiaryError {
      return .unavailable(error)
    } catch {
      return .unavailable(
        OstiaryError(.storeUnavailable, "The sealing keys can't be had now.", underlying: error))
    }
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await save(data, key, expected, isEnded: false)
  }

  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await endOrRemove(key, with: entry, ifHolding: expected) {
      _ = try await save(entry, key, expected, isEnded: true)
    }
  }

  public var exclusiveAccessCanBeLost: Bool { inner.exclusiveAccessCanBeLost }

  private func write(
    _ record: Data, _ key: SessionKey, _ expected: StoreExpectation, isEnded: Bool
  ) async throws -> StoreStamp? {
    guard isEnded else { return try await inner.saveStamped(record, for: key, replacing: expected) }
    try await inner.end(key, with: record, ifHolding: expected)
    return nil
  }

  private func save(
    _ data: Data, _ key: SessionKey, _ expected: StoreExpectation, isEnded: Bool
  ) async throws -> StoreStamp? {
    let access = SealedAccess.current(to: key, identity)
    if let known = access?.take(), expected == .exactly(known.data) {
      // It was read with exclusive access: reading it again would cost a round trip where the store is far away.
      if let keys = try await source.keys() {
        let isSame =
          data == known.data && SealedRecord.keyID(of: known.record) == keys.current.id
          && SealedRecord.saysEnded(known.record) == isEnded
        let record = isSame ? known.record : try SealedRecord.seal(data, for: key, with: keys.current, isEnded: isEnded)
        do {
          let stamp = try await write(record, key, .exactly(known.record), isEnded: isEnded)
          access?.note(data, sealedAs: record)
          return stamp
        } catch let error as OstiaryError where error.code == .storeConflict {
          // Sealed anew meanwhile, perhaps.
        }
      }
    }
    return try await change(key, expected) { stored, keys in
      let record = try SealedRecord.seal(data, for: key, with: keys.current, isEnded: isEnded)
      let stamp = try await write(record, key, stored.map { .exactly($0) } ?? .nothing, isEnded: isEnded)
      access?.note(data, sealedAs: record)
      return stamp
    }
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    _ = SealedAccess.current(to: key, identity)?.take()
    for _ in 0..<Self.tries {
      guard let stored = try await readKeepingDamagedAside(key) else { return }
      guard expected.matches(stored.data) else { throw OstiaryError.storeConflict }
      if try await succeeds({ try await inner.remove(key, ifHolding: .exactly(stored.record)) }) { return }
    }
    throw OstiaryError.storeConflict
  }

  public func stamp(of key: SessionKey) -> StoreStamp? {
    inner.stamp(of: key)
  }

  public func accounts() async throws -> [SessionKey] {
    try await inner.accounts().filter { !$0.name.hasPrefix(Self.asidePrefix) }
  }

  public func removeAll() async throws {
    try await inner.removeAll()
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await inner.withExclusiveAccess(to: key, patience: patience) {
      try await SealedAccess.$current.withValue(SealedAccess(key, identity), operation: body)
    }
  }

  // MARK: Keys

  /// Makes a new key the current one and seals every session with it. Older keys stay, to open what they have sealed.
  ///
  /// It can be interrupted anywhere, and other processes may go on meanwhile: every session can be read at every moment.
  /// What was left undone is done by ``reseal()``, or by rotating again.
  /// - Throws: ``/OstiaryCore/OstiaryError`` as ``reseal()`` does; `sealingKeyFixed` when the keys are made outside this library.
  public func rotateKey() async throws {
    // A store that can't be listed now can't be sealed anew either; then the key stays, too.
    _ = try await accounts()
    let old = try await source.keys()
    guard try await source.makeKey(after: old).current != old?.current else {
      throw OstiaryError(
        .storeConflict, "The sealing key has not been rotated: no new key came from where the keys are.",
        advice: "Try again; if it stays so, see what else writes the keys.")
    }
    try await reseal()
  }

  /// Seals everything that an older key has sealed with the current key. Doing it again does no harm.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when some could not be opened or written. The others have been.
  public func reseal() async throws {
    var failure: (any Error)?
    for key in try await accounts() {
      do {
        try await reseal(key)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func reseal(_ key: SessionKey) async throws {
    for _ in 0..<Self.tries {
      try Task.checkCancellation()
      guard let stored = try await read(key), let data = stored.data, let keys = stored.keys else { return }
      guard SealedRecord.keyID(of: stored.record) != keys.current.id, !SealedRecord.saysEnded(stored.record) else {
        return
      }
      let record = try SealedRecord.seal(data, for: key, with: keys.current)
      if try await succeeds({ try await inner.save(record, for: key, replacing: .exactly(stored.record)) }) { return }
    }
    throw OstiaryError.storeConflict
  }

  // MARK: Reading and changing

  /// What is stored, opened; the bytes it came from; and the keys of that moment, among which it has found its own. An ended
  /// entry whose key is gone has no data, and counts as nothing.
  private typealias Stored = (data: Data?, record: Data, keys: SealingKeys?)

  private func read(_ key: SessionKey) async throws -> Stored? {
    switch await inner.load(key) {
    case .absent: return nil
    case .unavailable(let error): throw error
    case .present(let record):
      let keys = try await source.keys()
      do throws(SealingError) {
        return (try SealedRecord.open(record, for: key, with: keys), record, keys)
      } catch {
        if case .wrongKey = error, SealedRecord.saysEnded(record) { return (nil, record, keys) }
        guard error.isDamage else {
          throw OstiaryError(
            .storeUnavailable, "The stored session can't be opened: \(error).", advice: error.advice, underlying: error)
        }
        throw try await keepAside(record, key, error)
      }
    }
  }

  private func readKeepingDamagedAside(_ key: SessionKey) async throws -> Stored? {
    do {
      return try await read(key)
    } catch let error as OstiaryError where error.code == .storeCorrupt {
      // It is aside now, or somewhere else it would come up again.
      return try await read(key)
    }
  }

  /// Changes what is stored if it is what was expected, again as often as another process seals it anew meanwhile.
  private func change<Result: Sendable>(
    _ key: SessionKey, _ expected: StoreExpectation,
    _ change: (_ record: Data?, _ keys: SealingKeys) async throws -> Result
  ) async throws -> Result {
    for _ in 0..<Self.tries {
      let stored = try await readKeepingDamagedAside(key)
      guard expected.matches(stored?.data) else { throw OstiaryError.storeConflict }
      let keys: SealingKeys
      if let known = stored?.keys { keys = known } else { keys = try await keysForSealing() }
      do {
        return try await change(stored?.record, keys)
      } catch let error as OstiaryError where error.code == .storeConflict {
        continue
      }
    }
    throw OstiaryError.storeConflict
  }

  private func keysForSealing() async throws -> SealingKeys {
    if let keys = try await source.keys() { return keys }
    // A first key is made for a first session. Where there are sessions, the keys that sealed them have been lost, and a
    // new one would hide that.
    guard try await accounts().isEmpty else {
      // Another process may have made it, and saved, since it was looked for.
      if let keys = try await source.keys() { return keys }
      throw OstiaryError(
        .storeUnavailable, "There are sealed sessions, but no key.",
        advice: "Bring the key back; without it, remove all sessions and sign in again.")
    }
    return try await source.makeKey(after: nil)
  }

  /// Whether no other writer was faster.
  private func succeeds(_ change: () async throws -> Void) async throws -> Bool {
    do {
      try await change()
      return true
    } catch let error as OstiaryError where error.code == .storeConflict {
      return false
    }
  }

  /// Keeps a damaged record under another key and says where.
  private func keepAside(_ record: Data, _ key: SessionKey, _ reason: SealingError) async throws -> OstiaryError {
    let time = clock.now.ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted))
    let aside = SessionKey("\(Self.asidePrefix)\(time):\(key.name)")
    do {
      try await inner.save(record, for: aside, replacing: .anything)
      try await inner.remove(key, ifHolding: .exactly(record))
    } catch let error as OstiaryError where error.code != .storeConflict {
      return corrupt(key, reason, "It could not be kept aside.", error)
    }
    return corrupt(key, reason, "It has been kept as “\(aside)”.", nil)
  }

  private func corrupt(
    _ key: SessionKey, _ reason: SealingError, _ kept: String, _ failure: OstiaryError?
  ) -> OstiaryError {
    OstiaryError(
      .storeCorrupt, "The sealed session “\(key)” is damaged: \(reason). \(kept)", underlying: reason)
  }
}
