package import Foundation
package import Ostiary
package import OstiaryPega

/// The work behind an authenticator object, on a session manager and the shared cookies. Its calls are made one at a
/// time.
package final class PegaService: Sendable {
  package let manager: SessionManager
  private let authenticator: PegaAuthenticator
  private let environment: PegaEnvironment

  /// Makes the service for a server.
  /// - Throws: ``OstiaryError`` `invalidInput` when the address is none.
  package init(server: URL, activity: PegaLoginActivity, environment: PegaEnvironment) throws {
    authenticator = try PegaAuthenticator(
      server: server, loginActivity: activity, configuration: environment.configuration)
    self.environment = environment
    // The vendor's callers are told of every failure and decide themselves whether to try again.
    var configuration = SessionConfiguration()
    configuration.retry = .none
    manager = SessionManager(
      authenticator: authenticator, transport: environment.transport, store: environment.store,
      configuration: configuration, clock: environment.clock)
  }

  /// Logs in.
  /// - Throws: ``OstiaryError`` `alreadySignedIn` when the server says that a session known here is good.
  package func logIn(_ username: String, _ password: Secret) async throws -> [String: JSONValue] {
    try PegaAuthenticator.check(username: username, password: password, for: authenticator.method)
    try Task.checkCancellation()
    if let session = try await look() {
      throw OstiaryError(
        .alreadySignedIn, "\(session.user.id) is logged in.", advice: "Log off first.", requestMayHaveExecuted: false)
    }
    let session = try await manager.signIn(with: .password(username: username, password: password))
    environment.cookies.write(
      session.proof.cookies, for: authenticator.address, configuration: environment.configuration,
      now: environment.clock.now)
    return session.attributes
  }

  /// Asks the server whether a user is logged in. Sends cookies only, never a user name or password.
  /// - Returns: the login activity's response; `nil` when no user is logged in.
  /// - Throws: ``OstiaryError`` when it can't be told.
  package func isLoggedIn() async throws -> [String: JSONValue]? {
    try await look()?.attributes
  }

  /// Logs off. Local state is gone afterwards, also when an error is thrown.
  /// - Throws: ``OstiaryError`` when the server, or the place where sessions rest, could not be told.
  package func logOff() async throws {
    let shared = environment.cookies.read(for: authenticator.address, now: environment.clock.now)
    _ = await manager.restore()
    let known = manager.current?.proof.cookies ?? CookieJar()
    let report = await manager.signOut()
    var failure = report.serverError ?? report.storeError
    // A session that the app's own request began is ended, too.
    if hasOtherSession(shared, than: known) {
      do {
        try await authenticator.end(unmanaged(shared), in: environment.context)
      } catch {
        failure = failure ?? (error as? OstiaryError)
      }
    }
    environment.cookies.clear(for: authenticator.address, configuration: environment.configuration)
    if let failure { throw failure }
  }

  /// The session that the server says is good: the known one, or one that the app's own request began.
  private func look() async throws -> Session? {
    _ = await manager.restore()
    let known = manager.current?.proof.cookies ?? CookieJar()
    switch await manager.verify() {
    case .signedIn(let session): return session
    case .unknown(let error): throw error
    case .signedOut: break
    }
    let shared = environment.cookies.read(for: authenticator.address, now: environment.clock.now)
    guard hasOtherSession(shared, than: known) else { return nil }
    do {
      let session = try await manager.signIn(with: .proof(Proof(cookies: shared)))
      environment.cookies.update(
        from: shared, to: session.proof.cookies, for: authenticator.address, configuration: environment.configuration,
        now: environment.clock.now)
      return session
    } catch let error as OstiaryError where error.code == .invalidCredentials {
      return nil
    } catch let error as OstiaryError where error.code == .unsupportedClientVersion {
      // The server's session has been ended: what is left of it goes, too.
      environment.cookies.clear(for: authenticator.address, configuration: environment.configuration)
      throw error
    }
  }

  /// Whether the first jar has session cookies that the second hasn't.
  private func hasOtherSession(_ jar: CookieJar, than other: CookieJar) -> Bool {
    let names = environment.configuration.sessionCookieNames
    return !jar.values(named: names).isSubset(of: other.values(named: names))
  }

  /// A session that no manager owns, for the exchanges that need one.
  private func unmanaged(_ cookies: CookieJar) -> Session {
    let grant = SessionGrant(user: Session.User(id: "unknown"), proof: Proof(cookies: cookies))
    return Session(
      kind: authenticator.kind, server: authenticator.server, version: ProofVersion(), grant: grant,
      issuedAt: environment.clock.now)
  }
}
