// begin gateway
import Foundation
import Ostiary
import OstiaryGateway

func ask(_ server: URL, user: String, password: Secret) async throws {
  // The password goes to this server's origin and to no other, also if the gateway's page says otherwise.
  var login = try FormLogin(at: server)
  // A gateway on this machine, for trying things out, may do without https.
  login.allowingInsecureHTTPForPasswords = Origin(server)?.isLoopback ?? false

  let gateway = SessionManager(
    authenticator: try GatewayAuthenticator(server: server, handlers: [login]),
    transport: PlatformTransport(),
    credentials: .onRequest { _ in .password(username: user, password: password) })
  gateway.onEvent { event in print(event) }

  // Requests go out bare until one is answered with a login form, a redirect to one, or a 401. Then one form is sent,
  // however many wait, and each request goes out again. What stands behind the gateway may have a session of its own:
  // give its manager this transport.
  let http = AuthenticatedTransport(gateway)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 1...3 {
      group.addTask {
        let answer = try await http.get(server.appending(path: "things/\(number)"))
        print(number, answer.status, answer.text)
      }
    }
    try await group.waitForAll()
  }
}
// end gateway
