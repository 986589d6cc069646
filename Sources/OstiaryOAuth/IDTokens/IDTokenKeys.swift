public import Foundation
public import OstiaryCore
public import OstiaryJOSE

/// Where the keys come from that an issuer signs with.
///
/// It must verify with keys that the issuer itself publishes, newer ones where those that it has lack the one that is needed. It must throw
/// an error that is no `JOSEError` where they can't be had now: that is never a word about a token.
public protocol IDTokenKeys: Sendable {
  /// Verifies a token with the issuer's keys.
  /// - Parameters:
  ///   - token: the token as it came. A key that it brings is none of the issuer's.
  ///   - verifier: what it has to say.
  ///   - issuer: as its metadata name it.
  ///   - now: the time by which the token is judged.
  /// - Throws: ``/OstiaryJOSE/JOSEError`` for a token that is refused; other errors where the keys can't be had.
  func verify(
    _ token: PresentedToken, by verifier: TokenVerifier, of issuer: String, at now: Date,
    in context: AuthenticationContext
  ) async throws -> VerifiedToken
}

/// Keys that are known: no request is made for them, and a newer one of the issuer's is not found.
extension KeySet: IDTokenKeys {
  public func verify(
    _ token: PresentedToken, by verifier: TokenVerifier, of issuer: String, at now: Date,
    in context: AuthenticationContext
  ) async throws -> VerifiedToken {
    try verifier.verify(token, with: self, at: now)
  }
}
