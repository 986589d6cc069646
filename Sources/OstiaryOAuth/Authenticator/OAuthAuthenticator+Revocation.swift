internal import OstiaryCore

// Servers whose OpenID document leaves out where tokens are revoked, as OpenID Connect Discovery 1.0 does not know that: some of them say it in
// their document of RFC 8414. It is asked for when a session ends, and not before.
extension OAuthAuthenticator {
  /// The authenticator with the revocation endpoint of RFC 8414's document; `nil` where there is none, or one is known already.
  /// - Throws: ``OstiaryError`` where the server can't be asked now.
  func findingRevocation() async throws -> OAuthAuthenticator? {
    guard let (directory, issuer) = otherDocument else { return nil }
    do {
      return revoking(by: try await directory.metadataOfOAuth(of: issuer))
    } catch let error as OstiaryError where Self.saysNothing.contains(error.code) {
      return nil
    }
  }

  /// The same by what is held of that document, without a request.
  func knowingRevocation() -> OAuthAuthenticator? {
    guard let (directory, issuer) = otherDocument else { return nil }
    return directory.knownMetadataOfOAuth(of: issuer).flatMap { revoking(by: $0) }
  }

  /// No document, or one that is not this issuer's or has an address that may not be one.
  private static let saysNothing: Set<OstiaryError.Code> = [.metadataMissing, .metadataUnusable, .invalidInput]

  private var otherDocument: (ServerDirectory, issuer: String)? {
    guard client.endpoints.revocation == nil, client.convention == .openID, let directory = client.directory,
      let issuer = client.metadata?.issuer
    else { return nil }
    return (directory, issuer)
  }

  /// A session's tokens go to no host but those that it was made with: the endpoint counts where the token endpoint is.
  private func revoking(by metadata: ServerMetadata) -> OAuthAuthenticator? {
    guard let endpoint = metadata.endpoints?.revocation, let origin = Origin(endpoint),
      origin == Origin(client.endpoints.token)
    else { return nil }
    var revoking = self
    revoking.client.endpoints.revocation = endpoint
    return revoking
  }
}
