// begin browser
import Foundation
import Ostiary
import OstiaryOAuth

func showThings(of api: URL, authorizedAt issuer: URL, clientID: String, keptIn folder: URL) async throws {
  let client = try OAuthClient(
    id: clientID,
    endpoints: OAuthEndpoints(
      token: issuer.appending(path: "token"), authorization: issuer.appending(path: "authorize"),
      revocation: issuer.appending(path: "revoke")))

  // The system's browser shows the server's page; what it answers with is caught on this machine, at a port that is free.
  guard let callback = URL(string: "http://127.0.0.1/callback") else { return }
  let flow = OAuthFlow.authorizationCode(in: LoopbackUserAgent(), redirectURI: callback, scope: "things offline_access")

  let manager = SessionManager(
    authenticator: try OAuthAuthenticator(server: api, client: client, flow: flow),
    transport: PlatformTransport(), credentials: .byHandler, store: FileStore(folder: folder))
  manager.onEvent { event in print(event) }

  // The first request opens the browser. From then on tokens are renewed shortly before they end, and when the server
  // refuses them; the next run finds them in the folder.
  let things = try await AuthenticatedTransport(manager).get(api.appending(path: "things"))
  print(things.status, things.text)
}
// end browser
