import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// Some servers name their revocation endpoint only in the document of RFC 8414.
@Suite("A revocation endpoint that OpenID's document leaves out", .timeLimit(.minutes(20)))
struct RevocationEndpointTests {
  private let server = DocumentServer()
  private let store = EphemeralStore()

  init() {
    server.publish(["userinfo_endpoint": nil, "revocation_endpoint": nil])
    server.transport.on(.post, "/token") { _ in
      .json(["access_token": "planted-access", "refresh_token": "planted-refresh", "expires_in": 600])
    }
    server.transport.on(.post, "/revoke") { _ in .status(.ok) }
  }

  /// A manager as a process has it that has just begun.
  private func manager(_ convention: ServerDirectory.Convention = .openID) throws -> SessionManager {
    let directory = ServerDirectory(transport: server.transport, clock: server.clock)
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: directory, convention: convention)
    return SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser),
      transport: server.transport, credentials: .byHandler, store: store, clock: server.clock)
  }

  /// Signs in, and out in another process.
  /// - Returns: what was asked for at the sign-out, and what came of it.
  private func signOut() async throws -> (asked: [String], report: SignOutReport) {
    let first = try manager()
    _ = try await first.session()
    try await first.flush()
    #expect(server.count(DocumentServer.oauth) == 0, "it is asked for when a session ends")
    let before = server.transport.requests.count
    let second = try manager()
    #expect(await second.restore().isSignedIn)
    let report = await second.signOut(confirming: true)
    return (server.transport.requests.dropFirst(before).map(\.address), report)
  }

  @Test("REVOKE-1: a sign-out finds it there, revokes both tokens, and that is the server's sign")
  func found() async throws {
    server.publish(["userinfo_endpoint": nil], at: DocumentServer.oauth)
    let (asked, report) = try await signOut()
    #expect(asked == [DocumentServer.oauth, "https://as.test/revoke", "https://as.test/revoke"])
    #expect(report.serverError == nil && report.confirmation?.isConfirmed == true, "\(report)")
  }

  @Test("REVOKE-2: one that names another host gets no token: a session's tokens go where it was made")
  func otherHost() async throws {
    server.publish(["revocation_endpoint": "https://other.test/revoke"], at: DocumentServer.oauth)
    let (asked, report) = try await signOut()
    #expect(asked == [DocumentServer.oauth])
    #expect(report.serverError == nil && report.confirmation?.isConfirmed == false, "\(report)")
    #expect(report.confirmation?.words.contains("no revocation endpoint") == true)
  }

  @Test(
    "REVOKE-3: where there is no such document, or it is another issuer's, the sign-out is as it was",
    arguments: ["missing", "page", "issuer", "slash", "none"])
  func absent(_ what: String) async throws {
    switch what {
    case "page": server.publish(.html("<h1>Sign in</h1>"), at: DocumentServer.oauth)
    case "issuer": server.publish(["issuer": "https://other.test"], at: DocumentServer.oauth)
    case "slash": server.publish(["issuer": "https://as.test/"], at: DocumentServer.oauth)
    case "none": server.publish(["revocation_endpoint": nil], at: DocumentServer.oauth)
    default: break
    }
    let (asked, report) = try await signOut()
    #expect(asked == [DocumentServer.oauth], "the other document is not asked for again")
    #expect(report.serverError == nil && report.confirmation?.isConfirmed == false, "\(report)")
  }

  @Test("REVOKE-4: a server that can't be asked for it now is told, and the session is over here")
  func unavailable() async throws {
    server.publish(.status(.serviceUnavailable), at: DocumentServer.oauth)
    let (asked, report) = try await signOut()
    #expect(asked.allSatisfy { $0 == DocumentServer.oauth } && !asked.isEmpty)
    #expect(report.serverError?.isTransient == true && report.storeError == nil, "\(report)")
    #expect(try await manager().restore().isSignedIn == false)
  }

  @Test(
    "REVOKE-5: what is known is not asked for: an endpoint of OpenID's document, and a client that looks at RFC 8414's first"
  )
  func known() async throws {
    server.publish(["userinfo_endpoint": nil, "revocation_endpoint": nil], at: DocumentServer.oauth)
    let oauth = try manager(.oauth)
    _ = try await oauth.session()
    await oauth.signOut()
    #expect(server.count(DocumentServer.oauth) == 1)
    server.publish(["userinfo_endpoint": nil])
    let openID = try manager()
    _ = try await openID.session()
    await openID.signOut()
    #expect(server.count(DocumentServer.oauth) == 1)
    #expect(server.count("https://as.test/revoke") == 2)
  }
}
