import Foundation
internal import GRDB
public import OstiaryCore

extension ServerTokens {
  /// Issues an authorization code: 256 random bits, good once and for the client's ``TokenPolicy/codeLifetime``.
  /// - Throws: `attributesTooLarge` or a storage code.
  public func issueCode(_ request: CodeRequest) async throws(ServerError) -> CodeDecision {
    throw .unfinished
  }

  /// Redeems an authorization code. The second time ends all tokens that came of the first (RFC 6749 §4.1.2).
  ///
  /// A code presented with another redirect URI or verifier is refused and stays good.
  /// - Parameters:
  ///   - client: who presents it, authenticated.
  ///   - redirectURI: as the client names it now.
  ///   - verifier: the PKCE verifier.
  /// - Throws: a storage code.
  public func redeem(
    code: Secret, client: Client, redirectURI: String?, verifier: Secret?
  ) async throws(ServerError) -> TokenDecision {
    throw .unfinished
  }
}
