// begin testing
import Foundation
import Ostiary
import OstiaryTesting

/// The part of an app that is under test: it shows what the server says, or that the network is down.
func headline(over transport: any Transport) async -> String {
  do {
    return try await transport.get(ScriptedAuthenticator.defaultServer.appending(path: "headline")).text
  } catch let error as OstiaryError where error.isTransient {
    return "No connection. You are still signed in."
  } catch {
    return "Please sign in."
  }
}

func testHeadline() async throws -> [String] {
  let server = ScriptedServer(users: ["ann": "apple"])
  let network = server.transport()
  let manager = SessionManager(
    authenticator: ScriptedAuthenticator(), transport: network,
    credentials: .upFront(.password(username: "ann", password: "apple")))
  let app = AuthenticatedTransport(manager)

  var seen = [await headline(over: app)]
  // The session ends at the server: the user does not notice, because it is renewed.
  server.dropSessions(of: "ann")
  seen.append(await headline(over: app))
  // The network goes away: no user is signed out.
  network.inject(.refuseConnection)
  seen.append(await headline(over: app))
  return seen + ["\(server.counts.signIns) sign-ins"]
}
// end testing
