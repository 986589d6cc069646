// begin why
import Foundation
import Ostiary
import OstiaryPega

func explain(server: URL, user: String, password: Secret) async throws {
  let transport = PlatformTransport()
  let authenticator = try PegaAuthenticator(server: server)
  let manager = SessionManager(authenticator: authenticator, transport: transport)
  let session = try await manager.signIn(with: .password(username: user, password: password))

  // Somewhere else the session is ended: by an administrator, a time-out, a log-off in another window.
  try await authenticator.end(session, in: AuthenticationContext(transport: transport))

  do {
    _ = try await AuthenticatedTransport(manager).get(server.appending(path: "api/v1/cases"))
  } catch let error as OstiaryError where error.code == .interactionRequired {
    print("To the user: \(error.message) \(error.advice)")
  }

  switch manager.status {
  case .signedIn(let session): print("Signed in as \(session.user.id).")
  case .signedOut(let cause): print("Signed out, cause \(cause).")
  case .unknown(let error): print("Can't tell: \(error.message)")
  }
  if let event = manager.lastSignOut { print("Why: \(event)") }
  for event in manager.history { print("  \(event.number). \(event)") }
}
// end why
