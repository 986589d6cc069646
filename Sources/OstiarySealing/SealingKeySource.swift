public import OstiaryCore

/// Where the keys come from that seal sessions.
///
/// A source must give the same keys, or more of them, whenever it is asked, in every process that shares the sessions.
/// It must never make new keys in place of those that it can't read: it throws then.
public protocol SealingKeySource: Sendable {
  /// The keys, or `nil` when none has been made yet. Asked for at every reading and writing, so what is slow should be
  /// remembered.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when they can't be had now.
  func keys() async throws -> SealingKeys?

  /// Makes a new key the current one, durably, for all users of this source. The others stay, to open what they have
  /// sealed.
  /// - Parameter known: the keys that the caller knows of. Where there are others by now, nothing is made.
  /// - Returns: the keys after that.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `sealingKeyFixed` when this source's keys are made outside this library.
  func makeKey(after known: SealingKeys?) async throws -> SealingKeys
}

extension SealingKeySource {
  /// Throws: the keys are made outside this library.
  public func makeKey(after known: SealingKeys?) async throws -> SealingKeys {
    throw OstiaryError(
      .sealingKeyFixed, "These sealing keys are made outside Ostiary.",
      advice: "Put a new key before the old ones where they come from, then call reseal().", disposition: .misuse)
  }

  /// The same keys, and those of `older` for opening only: for sessions that are to be sealed anew with keys from
  /// elsewhere, by ``SealedStore/reseal()``.
  public func alsoOpening(_ older: any SealingKeySource) -> any SealingKeySource {
    KeysWithOlder(source: self, older: older)
  }
}

extension OstiaryError.Code {
  /// The keys that seal sessions can't be changed by this program.
  public static let sealingKeyFixed = Self("sealing_key_fixed")
}

/// Keys of one source that seal, and keys of another that only open.
private struct KeysWithOlder: SealingKeySource {
  let source: any SealingKeySource
  let older: any SealingKeySource

  func keys() async throws -> SealingKeys? {
    guard let keys = try await source.keys() else { return nil }
    return try await withOlder(keys)
  }

  func makeKey(after known: SealingKeys?) async throws -> SealingKeys {
    let own = try await source.keys()
    if let own {
      let all = try await withOlder(own)
      guard all == known else { return all }
    }
    return try await withOlder(try await source.makeKey(after: own))
  }

  private func withOlder(_ keys: SealingKeys) async throws -> SealingKeys {
    guard let more = try await older.keys() else { return keys }
    return SealingKeys(current: keys.current, older: keys.older + [more.current] + more.older)
  }
}
