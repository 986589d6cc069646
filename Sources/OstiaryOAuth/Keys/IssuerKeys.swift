internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// The keys that a directory of servers finds at an address.
struct IssuerKeys: IDTokenKeys {
  let directory: ServerDirectory
  /// Where the issuer's metadata say that they are.
  let address: URL

  func verify(
    _ token: PresentedToken, by verifier: TokenVerifier, of issuer: String, at now: Date,
    in context: AuthenticationContext
  ) async throws -> VerifiedToken {
    try await directory.verify(token, by: verifier, keysOf: issuer, at: address, now: now)
  }
}

extension IDTokenPolicy {
  /// What a client demands of the ID tokens of a server that says this of itself; `nil` where the server names no keys. Algorithms
  /// with a shared secret are not taken from there.
  init?(_ metadata: ServerMetadata, in directory: ServerDirectory) {
    guard let address = metadata.keySetAddress else { return nil }
    let algorithms = metadata.idTokenAlgorithms.map { Set($0.compactMap(SignatureAlgorithm.init(name:))) }
    self.init(
      issuer: metadata.tokenIssuer, keys: IssuerKeys(directory: directory, address: address),
      algorithms: algorithms ?? SignatureAlgorithm.allPublic)
    otherIssuerNames = ServerPreset.of(metadata.issuer)?.otherIssuerNames ?? []
  }
}
