/// Where a session manager gets a credential when a request needs one.
public enum CredentialSource: Sendable {
  /// Nowhere: only the app signs in, by calling `SessionManager.signIn(with:)`. A request that needs a session gets
  /// ``OstiaryError`` `interactionRequired`.
  case manual
  /// Given up front. Nothing is sent until it is needed. It is forgotten when the server refuses it, and at sign-out.
  case upFront(Credential)
  /// Asked for when needed, at most once at a time. Throw ``OstiaryError`` `interactionCancelled` (or any error) to
  /// decline.
  case onRequest(@Sendable (CredentialRequest) async throws -> Credential)
  /// The authenticator's challenge handlers get what they need themselves. While they do, no lock of the store is held.
  case byHandler
}
