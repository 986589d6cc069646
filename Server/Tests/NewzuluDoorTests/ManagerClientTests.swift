import Foundation
import Ostiary
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import Testing

@Suite("A Newzulu client of a session manager that there is already")
struct ManagerClientTests {
  private func manager(_ server: NewzuluServer, _ credentials: CredentialSource) throws -> SessionManager {
    SessionManager(
      authenticator: try NewzuluAuthenticator(server: server.url, apiKey: NewzuluServer.key, vhost: "1281"),
      transport: PlatformTransport(), credentials: credentials)
  }

  private static let credential = Credential.password(
    username: NewzuluServer.address, password: NewzuluServer.password)

  @Test("Bug-D11: it has the manager's session, signs in as the manager does, and signs the manager's user out")
  func session() async throws {
    try await NewzuluServer.run { server in
      let manager = try manager(server, .onRequest { _ in Self.credential })
      let client = try NewzuluClient(manager: manager, user: NewzuluServer.address)
      #expect(try await client.getFiles().totalCount == 0)
      let session = try #require(manager.current)
      #expect(client.currentSession == session)
      #expect(try await client.authenticate() == session)
      #expect(manager.history.count { $0.kind == .signedIn } == 1)
      await client.clearCredentials()
      #expect(manager.current == nil)
    }
  }

  @Test("Bug-D11: where the manager can't ask, that is the error, and not a word about a password")
  func nobodyToAsk() async throws {
    try await NewzuluServer.run { server in
      let client = try NewzuluClient(manager: manager(server, .manual), user: NewzuluServer.address)
      let error = await #expect(throws: OstiaryError.self) { try await client.getFiles() }
      #expect(error?.code == .interactionRequired)
    }
  }

  @Test("Bug-D11: a manager of another kind of server is refused")
  func otherKind() throws {
    let manager = SessionManager(authenticator: ScriptedAuthenticator(), transport: PlatformTransport())
    let error = #expect(throws: OstiaryError.self) { try NewzuluClient(manager: manager, user: "ann") }
    #expect(error?.code == .invalidInput)
  }
}
