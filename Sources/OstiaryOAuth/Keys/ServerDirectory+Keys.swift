public import Foundation
internal import OstiaryCore
public import OstiaryJOSE

extension ServerDirectory {
  /// The keys that an issuer signs with, each imported once.
  ///
  /// Keys that are held and fresh cost no request and no wait. A name that is not among them costs one request, at most
  /// every 30 seconds for an issuer, for all who ask together.
  /// - Parameters:
  ///   - issuer: whose keys.
  ///   - address: where they are (`jwks_uri`). When there is no document any more, the issuer's metadata say where it is now.
  ///   - keyID: the key that a token names (`kid`).
  /// - Returns: the newest set that there is. It may lack the key: then no key of the issuer has that name.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `keysUnavailable`, which is transient, when there is no set, or when it lacks
  ///   the key and a newer one can't be had.
  public func keys(of issuer: String, at address: URL, naming keyID: String? = nil) async throws -> KeySet {
    try await delivery(of: issuer, at: address, naming: keyID).document
  }

  /// The keys that are held and fresh, without a request and without waiting; `nil` where they have to be asked for.
  public func knownKeys(of issuer: String, at address: URL) -> KeySet? {
    keySets.fresh(at: KeySetPlace(issuer: issuer, address: address))
  }

  /// Verifies a token with an issuer's keys.
  ///
  /// Where neither the token nor the set names keys, a wrong signature may be a newer key's: a newer set is asked for, within the same
  /// 30 seconds.
  /// - Parameters:
  ///   - token: the token.
  ///   - verifier: what it has to say.
  ///   - issuer: whose keys.
  ///   - address: where they are (`jwks_uri`).
  ///   - now: the time by which it is judged.
  /// - Throws: ``/OstiaryJOSE/JOSEError`` for a token that is refused; ``/OstiaryCore/OstiaryError`` `keysUnavailable`, which is
  ///   transient and no word on the token.
  public func verify(
    _ token: PresentedToken, by verifier: TokenVerifier, keysOf issuer: String, at address: URL, now: Date
  ) async throws -> VerifiedToken {
    let keyID = token.unverifiedHeader.keyID
    let first = try await delivery(of: issuer, at: address, naming: keyID)
    do {
      return try verifier.verify(token, with: first.document, at: now)
    } catch {
      let isNamed = keyID != nil && first.document.hasNames
      guard !isNamed, !first.isNew, error.code == .wrongSignature || error.code == .unknownKey else { throw error }
      let second = try await newer(of: issuer, at: address)
      return try verifier.verify(token, with: second.document, at: now)
    }
  }

  private func delivery(
    of issuer: String, at address: URL, naming keyID: String?
  ) async throws -> DocumentMachine<KeySet>.Delivery {
    let held = try await document(of: issuer, at: address, .fresh)
    guard let keyID, held.document.hasNames, !held.document.hasKey(named: keyID), !held.isNew else { return held }
    return try await newer(of: issuer, at: address, unless: { $0.hasKey(named: keyID) })
  }

  /// A set that the server has just confirmed, or the one that is held within the 30 seconds.
  /// - Throws: why there is none, where there should be one.
  private func newer(
    of issuer: String, at address: URL, unless suffices: (KeySet) -> Bool = { _ in false }
  ) async throws -> DocumentMachine<KeySet>.Delivery {
    let newer = try await document(of: issuer, at: address, .newer)
    if let failure = newer.failure, !suffices(newer.document) { throw failure }
    return newer
  }

  private func document(
    of issuer: String, at address: URL, _ want: DocumentMachine<KeySet>.Want
  ) async throws -> DocumentMachine<KeySet>.Delivery {
    try await keySets.document(at: KeySetPlace(issuer: issuer, address: address), want) { [self] in
      await fetchKeys(of: issuer, at: address, $0)
    }
  }
}
