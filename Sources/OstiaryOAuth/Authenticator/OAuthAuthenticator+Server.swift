internal import OstiaryCore

/// Authenticators whose client was made from an issuer.
extension OAuthAuthenticator {
  /// The authenticator with the endpoints that a session's proof was made with, or else those that the issuer's metadata name now; `nil`
  /// where they are known already.
  ///
  /// What a session was made with comes first, whatever the metadata say now: its refresh token goes to no other host.
  /// - Throws: ``OstiaryError``; see ``ServerDirectory/metadata(of:convention:)``.
  func located(by proof: Proof? = nil) async throws -> OAuthAuthenticator? {
    guard !client.isLocated else { return nil }
    var located = self
    let kept = proof?.tokens[TokenSet.Name.server].flatMap {
      ServerMetadata(kept: $0, insecurelyAllowsPlainHTTP: client.directory?.allowsPlainHTTP ?? false)
    }
    if let kept {
      located.client = try client.located(at: kept)
    } else {
      located.client = try await client.located()
    }
    return located
  }

  /// A grant with what a session keeps of this server.
  func marked(_ grant: SessionGrant) -> SessionGrant {
    var grant = grant
    if let kept = client.metadata?.kept { grant.proof.tokens[TokenSet.Name.server] = kept }
    return grant
  }

  /// The same for the outcome of a renewal.
  func marked(_ renewal: Renewal) -> Renewal {
    guard case .renewed(let grant) = renewal else { return renewal }
    return .renewed(marked(grant))
  }
}
