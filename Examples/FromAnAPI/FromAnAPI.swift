// begin api
import Foundation
import Ostiary
import OstiaryOAuth

let callback = "http://127.0.0.1/callback"

func show(_ api: URL, keptIn folder: URL) async throws {
  let directory = ServerDirectory(transport: PlatformTransport())
  let registration = try await registration(for: api, in: directory, keptIn: folder.appending(path: "client.json"))

  // The authorization server says where its page is and where it gives tokens; a session keeps that.
  guard let callback = URL(string: callback) else { return }
  let manager = SessionManager(
    authenticator: try OAuthAuthenticator(
      server: api, client: OAuthClient(registration, in: directory),
      flow: .authorizationCode(in: LoopbackUserAgent(), redirectURI: callback)),
    transport: PlatformTransport(), credentials: .byHandler,
    store: FileStore(folder: folder.appending(path: "sessions")))
  let answer = try await AuthenticatedTransport(manager).get(api)
  print(answer.status, answer.text)
}

/// The program is registered once, with the authorization server that the API names. An API may not choose where a user types a
/// password: the user is asked.
func registration(for api: URL, in directory: ServerDirectory, keptIn file: URL) async throws -> OAuthRegistration {
  if let kept = try? Data(contentsOf: file) { return try JSONDecoder().decode(OAuthRegistration.self, from: kept) }
  let resources = try ResourceDirectory(
    api: api,
    issuers: .asking { question in
      print("The API wants you to sign in at \(question.issuers[0]). Go there (y)?")
      return readLine() == "y" ? question.issuers[0] : nil
    }, in: directory)
  let issuer = try await resources.findByAsking().issuer
  let registration = try await directory.register(.native(name: "FromAnAPI", redirectURIs: [callback]), at: issuer)
  try JSONEncoder().encode(registration).write(to: file)
  return registration
}
// end api
