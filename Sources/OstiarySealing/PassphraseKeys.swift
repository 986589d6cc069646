internal import Crypto
internal import CryptoExtras
public import Foundation
public import OstiaryCore

/// Keys derived from a passphrase with scrypt: see ``SealingKeySource/passphrase(_:salts:)``.
package final class PassphraseKeys: SealingKeySource {
  private let passphrase: Secret
  private let file: SecretFile
  private let cost: ScryptCost
  private let derived = Locked<[SaltedKey: SealingKey]>([:])
  /// Deriving twice at a time would be twice the memory, for the same key.
  private let lane = AsyncSerialQueue()

  /// Makes a source of the keys derived from a passphrase.
  /// - Parameters:
  ///   - passphrase: chosen by a person or, better, a generator.
  ///   - salts: the file of salts, which is made when something is sealed for the first time.
  ///   - cost: what deriving a new key takes. Keys that were made at another cost keep it.
  package init(_ passphrase: Secret, salts: URL, cost: ScryptCost = .interactive) {
    self.passphrase = passphrase
    self.cost = cost
    file = SecretFile(salts)
  }

  package func keys() async throws -> SealingKeys? {
    guard let text = try file.read() else { return nil }
    return try await keys(of: try SaltedKey.parse(text))
  }

  package func makeKey(after known: SealingKeys?) async throws -> SealingKeys {
    // Derived first: the file stays locked for moments only.
    let salt = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    let new = try await derive(salt, cost)
    let entry = SaltedKey(cost: cost, salt: salt, id: new.id)
    let ids = known.map { [$0.current.id] + $0.older.map(\.id) } ?? []
    let text = try await file.change { text throws(OstiaryError) in
      let entries = try text.map { text throws(OstiaryError) in try SaltedKey.parse(text) } ?? []
      return entries.map(\.id) == ids ? SaltedKey.text([entry] + entries) : nil
    }
    return try await keys(of: try SaltedKey.parse(text))
  }

  private func keys(of entries: [SaltedKey]) async throws -> SealingKeys {
    var keys: [SealingKey] = []
    for entry in entries {
      let key = try await lane.run {
        if let key = self.derived.withLock({ $0[entry] }) { return key }
        let key = try await self.derive(entry.salt, entry.cost)
        guard key.id == entry.id else {
          throw OstiaryError(
            .storeUnavailable, "The passphrase is not the one that the sessions were sealed with.",
            advice: "Try again; the user stays signed in.", underlying: SealingError.wrongKey(entry.id))
        }
        self.derived.withLock { $0[entry] = key }
        return key
      }
      keys.append(key)
    }
    guard let current = keys.first else {
      throw OstiaryError(.storeUnavailable, "The file of salts \(file.path) is empty.")
    }
    return SealingKeys(current: current, older: Array(keys.dropFirst()))
  }

  /// Derives on a thread of its own: it would block one of those that run Swift's tasks.
  private func derive(_ salt: Data, _ cost: ScryptCost) async throws -> SealingKey {
    let passphrase = passphrase
    return try await BlockingWork.run {
      let key = try KDF.Scrypt.deriveKey(
        from: Data(passphrase.reveal().precomposedStringWithCanonicalMapping.utf8), salt: salt,
        outputByteCount: SealingKey.length, rounds: 1 << cost.log2Rounds, blockSize: cost.blockSize,
        parallelism: cost.parallelism)
      return try key.withUnsafeBytes { try SealingKey(bytes: Data($0)) }
    }
  }
}

extension SealingKeySource where Self == BuiltInKeys {
  /// Keys derived from a passphrase with scrypt (RFC 7914): 128 MiB and about half a second for each, once a process.
  ///
  /// The salts and costs are in a small file, which is no secret, but without which the passphrase is worth nothing: keep
  /// it with the sessions.
  /// - Parameters:
  ///   - passphrase: chosen by a person or, better, a generator.
  ///   - salts: the file of salts, which is made when something is sealed for the first time.
  public static func passphrase(_ passphrase: Secret, salts: URL) -> BuiltInKeys {
    BuiltInKeys(PassphraseKeys(passphrase, salts: salts))
  }
}
