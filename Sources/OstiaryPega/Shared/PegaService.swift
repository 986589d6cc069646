internal import Foundation
package import OstiaryCore

/// One session with a server that an app's own requests share, on a session manager and the shared cookies. Its calls are
/// made one at a time.
package final class PegaService: Sendable {
  package let manager: SessionManager
  private let authenticator: PegaAuthenticator
  private let environment: PegaEnvironment
  /// What comes with the answers to questions.
  private let answered: NotedCookies

  /// Makes the service for a server.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the settings can't be used.
  package init(server: PegaAddress, activity: PegaLoginActivity, environment: PegaEnvironment) throws {
    let settings = try environment.settings.get()
    authenticator = try PegaAuthenticator(
      server: server.servlet, method: settings.signIn, loginActivity: activity, configuration: settings.names)
    self.environment = environment.withoutServices
    // The vendor's callers are told of every failure and decide themselves whether to try again.
    var configuration = SessionConfiguration()
    configuration.retry = .none
    answered = NotedCookies(environment.transport, clock: environment.clock)
    manager = SessionManager(
      authenticator: authenticator, transport: answered, store: environment.store,
      configuration: configuration, clock: environment.clock, logger: environment.logger)
  }

  /// Logs in.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `alreadySignedIn` when the server says that a session known here is good.
  package func logIn(_ username: String, _ password: Secret) async throws -> [String: JSONValue] {
    try PegaAuthenticator.check(username: username, password: password, for: authenticator.method)
    try Task.checkCancellation()
    if let session = try await look() {
      throw OstiaryError(
        .alreadySignedIn, "\(session.user.id) is logged in.", advice: "Log off first.", requestMayHaveExecuted: false)
    }
    let session = try await manager.signIn(with: .password(username: username, password: password))
    environment.share(session.proof.cookies, for: authenticator.address)
    return session.attributes
  }

  /// Logs in with a request of the app's own, such as one with a token of another server, unless a user is logged in.
  package func logIn(with request: TransportRequest) async throws {
    if try await look() != nil { return }
    let session = try await manager.signIn(with: .request(request))
    environment.share(session.proof.cookies, for: authenticator.address)
  }

  /// Asks the server whether a user is logged in. Sends cookies only, never a user name or password.
  /// - Returns: the login activity's response; `nil` when no user is logged in.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when it can't be told.
  package func isLoggedIn() async throws -> [String: JSONValue]? {
    try await look()?.attributes
  }

  /// Logs off. Local state is gone afterwards, also when an error is thrown.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when the server, or the place where sessions rest, could not be told.
  package func logOff() async throws {
    let shared = environment.sharedCookies(of: authenticator.address)
    _ = await manager.restore()
    let known = manager.current
    let report = await manager.signOut()
    var failure = report.serverError ?? report.storeError
    // A session that the app's own request began is ended, too.
    if hasOtherSession(shared, than: known) {
      do {
        let grant = SessionGrant(user: .unknown, proof: Proof(cookies: shared))
        try await authenticator.end(unmanaged(grant), in: environment.context)
      } catch {
        failure = failure ?? (error as? OstiaryError)
      }
    }
    environment.clearSharedCookies(of: authenticator.address)
    if let failure { throw failure }
  }

  /// The session that the server says is good. The app's own requests and SnapStart travel with the shared cookies: where
  /// these are another session's than the known one's, the server is asked about them first.
  private func look() async throws -> Session? {
    // Reads the store again where another object for this server has changed it; there is no credential to sign in with.
    _ = try? await manager.session()
    let shared = environment.sharedCookies(of: authenticator.address)
    let isOther = hasOtherSession(shared, than: manager.current)
    if isOther, let session = try await session(of: shared) { return session }
    let before = manager.current?.proof.cookies
    _ = answered.take()
    switch await manager.verify() {
    case .signedIn(let session):
      if isOther {
        // The shared cookies are worth nothing: those of the answer take their place.
        environment.share(session.proof.cookies, inPlaceOf: shared, for: authenticator.address)
      } else if let before {
        // The app's own requests carry what came with the answer, too.
        environment.shareChanges(from: before, to: withAnswered(session.proof.cookies), for: authenticator.address)
      }
      return session
    case .unknown(let error): throw error
    case .signedOut: return nil
    }
  }

  /// The session of shared cookies. It takes the place of another operator's; beside one that may be the same operator's,
  /// whose newer cookies these are then, it is only told.
  private func session(of shared: CookieJar) async throws -> Session? {
    do {
      let grant = try await authenticator.signIn(with: .proof(Proof(cookies: shared)), in: environment.context)
      if let known = manager.current {
        guard isAnotherOperators(grant, than: known) else {
          environment.shareChanges(from: shared, to: grant.proof.cookies, for: authenticator.address)
          return unmanaged(grant)
        }
        await manager.signOut()
      }
      let session = try await manager.signIn(with: grant)
      environment.shareChanges(from: shared, to: session.proof.cookies, for: authenticator.address)
      return session
    } catch let error as OstiaryError where error.code == .invalidCredentials {
      return nil
    } catch let error as OstiaryError where error.code == .unsupportedClientVersion {
      // The server's session has been ended: what is left of it goes, too.
      environment.clearSharedCookies(of: authenticator.address)
      throw error
    }
  }

  /// A session's cookies, and those of other names that came with the last answers.
  private func withAnswered(_ jar: CookieJar) -> CookieJar {
    var all = jar
    for cookie in answered.take().cookies where !jar.cookies.contains(where: { $0.name == cookie.name }) {
      _ = all.insert(cookie, now: environment.clock.now)
    }
    return all
  }

  private func isAnotherOperators(_ grant: SessionGrant, than session: Session) -> Bool {
    let known = PegaLogin(session, configuration: environment.configuration).operatorID
    let other = PegaLogin(grant.attributes, configuration: environment.configuration).operatorID
    return known != nil && other != nil && known != other
  }

  /// Whether the jar has session cookies that the session hasn't.
  private func hasOtherSession(_ jar: CookieJar, than session: Session?) -> Bool {
    !environment.sessionValues(jar).isSubset(of: environment.sessionValues(session?.proof.cookies))
  }

  /// A session that no manager owns.
  private func unmanaged(_ grant: SessionGrant) -> Session {
    Session(
      kind: authenticator.kind, server: authenticator.server, version: ProofVersion(), grant: grant,
      issuedAt: environment.clock.now)
  }
}
