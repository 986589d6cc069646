// begin sign-in
import Foundation
import Ostiary
import OstiaryPega

func showCases(of server: URL, user: String, password: Secret, keptIn folder: URL) async throws {
  let manager = SessionManager(
    authenticator: try PegaAuthenticator(server: server),
    transport: PlatformTransport(),
    credentials: .onRequest { _ in .password(username: user, password: password) },
    store: FileStore(folder: folder))
  manager.onEvent { event in print(event) }

  // Signs in when a request needs it, renews, and sends requests again where that is safe.
  let pega = AuthenticatedTransport(manager)
  let cases = try await pega.get(server.appending(path: "api/v1/cases"))
  print(cases.status, cases.text)

  // Over here at once, also if the server can't be reached.
  await manager.signOut()
}
// end sign-in
