internal import OstiaryCore

/// Authenticators whose client was made from an issuer.
extension OAuthAuthenticator {
  /// The authenticator with the endpoints that a session's proof was made with, or else those that the issuer's metadata name now; `nil`
  /// where they are known already.
  ///
  /// What a session was made with comes first, also when the metadata say something else now: its refresh token goes to no other host.
  /// - Throws: ``OstiaryError``; see ``ServerDirectory/metadata(of:convention:)``, and `invalidInput` for a session of a server to which this
  ///   client does not show who it is.
  func located(by proof: Proof? = nil) async throws -> OAuthAuthenticator? {
    guard !client.isLocated else { return nil }
    var located = self
    if let kept = proof.flatMap({ keptServer(of: $0) }) {
      guard isKnown(at: kept) else {
        throw OstiaryError.invalidOAuthInput(
          "The session was made at another server than the client's.", "Sign in at the client's server.")
      }
      located.client = try client.located(at: kept)
    } else {
      located.client = try await client.located()
    }
    return located
  }

  /// Whether a session was made at a server to which this client, which is now another one's, does not show who it is.
  func isElsewhere(_ session: Session) -> Bool {
    guard !client.isLocated, let kept = keptServer(of: session.proof) else { return false }
    return !isKnown(at: kept)
  }

  private func keptServer(of proof: Proof) -> ServerMetadata? {
    proof.tokens[TokenSet.Name.server].flatMap {
      ServerMetadata(kept: $0, insecurelyAllowsPlainHTTP: client.directory?.allowsPlainHTTP ?? false)
    }
  }

  /// What shows who the client is was agreed with one server. Without it, a session goes on at a server that has another name now.
  private func isKnown(at server: ServerMetadata) -> Bool {
    client.authentication == .none || client.endpoints.issuer?.hasSameBytes(as: server.issuer) == true
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
