import Foundation
import Ostiary
import OstiaryOAuth

/// The sessions of the site's users, for all of its processes: sealed, in a folder that they share.
struct SiteSessions: Sendable {
  let authenticator: OAuthAuthenticator
  let store: EncryptedFileStore
  let transport: PlatformTransport

  /// Begins a session with tokens whose ID token is verified now.
  /// - Returns: what the browser's cookie has.
  func begin(with tokens: TokenSet, in context: AuthenticationContext) async throws -> String {
    let id = UUID().uuidString
    let grant = try await authenticator.grant(for: tokens, in: context)
    _ = try await manager(id).signIn(with: grant)
    return id
  }

  /// A browser's session; `nil` when it has ended, or there never was one.
  /// - Throws: what keeps the store from saying so.
  func session(_ id: String) async throws -> Session? {
    guard UUID(uuidString: id) != nil else { return nil }
    switch await manager(id).restore() {
    case .signedIn(let session): return session
    case .signedOut: return nil
    case .unknown(let error): throw error
    }
  }

  /// Ends a session here, and gives its tokens back.
  func end(_ id: String) async throws {
    guard try await session(id) != nil else { return }
    let manager = manager(id)
    _ = await manager.restore()
    if let error = await manager.signOut().storeError { throw error }
  }

  /// Ends those that a logout of the provider's is about. A database would find them by issuer, user and session.
  /// - Throws: where one can't be read or ended, after all others: it may be one of them, so the provider has to ask again.
  func endAll(where isAbout: (Session) -> Bool) async throws {
    var failures: [any Error] = []
    for account in try await store.accounts() {
      do {
        if let session = try await session(account.name), isAbout(session) { try await end(account.name) }
      } catch {
        failures.append(error)
      }
    }
    guard let first = failures.first else { return }
    throw OstiaryError(
      .storeUnavailable, "\(failures.count) of the site's sessions could not be read or ended. The others are done.",
      advice: "Look at the folder of sessions and the keys, and have the provider ask again.",
      disposition: .transient(retryAfter: nil), underlying: first)
  }

  private func manager(_ id: String) -> SessionManager {
    var configuration = SessionConfiguration()
    // A browser or the provider waits for the answer.
    configuration.storePatience = .seconds(1)
    return SessionManager(
      authenticator: authenticator, transport: transport, credentials: .manual, store: store, key: SessionKey(id),
      configuration: configuration)
  }
}
