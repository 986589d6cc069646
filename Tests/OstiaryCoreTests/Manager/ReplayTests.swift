import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 10: replay once, and only what is safe")
struct ReplayTests {
  /// Like the scripted authenticator, but it can't say whether the server acted before refusing.
  struct Doubtful: Authenticator {
    let base = ScriptedAuthenticator()
    var kind: AuthenticatorKind { base.kind }
    var server: URL { base.server }
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await base.signIn(with: credential, in: context)
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      try await base.verify(session, in: context)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      try await base.end(session, in: context)
    }
    func attachment(for session: Session) -> ProofAttachment { base.attachment(for: session) }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      response.status == .unauthorized ? .rejected(reason: "401", mayHaveExecuted: true) : .accepted
    }
  }

  private func send(
    _ method: HTTPRequest.Method, _ replay: ReplayPolicy, doubtful: Bool
  ) async throws -> (code: OstiaryError.Code?, sent: Int, fixture: ManagerFixture) {
    let fixture = ManagerFixture(renews: false)
    let authenticator: any Authenticator = doubtful ? Doubtful() : ScriptedAuthenticator()
    let manager = SessionManager(
      authenticator: authenticator, transport: fixture.transport, credentials: .upFront(ManagerFixture.ann),
      clock: fixture.clock)
    _ = try await manager.session()
    fixture.server.dropSessions()
    var request = ManagerFixture.request(method: method)
    request.replay = replay
    request.body = Data("payload".utf8)
    let error = await failure { try await AuthenticatedTransport(manager).send(request) }
    let things = fixture.transport.requests.filter { $0.head.path == "/things" }
    #expect(things.allSatisfy { $0.body == Data("payload".utf8) })
    return (error?.code, things.count, fixture)
  }

  @Test(
    "A refused request that was not executed is sent again, whatever its method",
    arguments: [HTTPRequest.Method.get, .put, .delete, .post, .patch])
  func notExecuted(method: HTTPRequest.Method) async throws {
    let outcome = try await send(method, .ifSafe, doubtful: false)
    #expect(outcome.code == nil)
    #expect(outcome.sent == 2)
    #expect(outcome.fixture.server.counts.executed == 1)
  }

  @Test(
    "A request that may have been executed is sent again only if its method is idempotent",
    arguments: [
      (HTTPRequest.Method.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.post, false),
      (.patch, false), (.connect, false),
    ])
  func inDoubt(method: HTTPRequest.Method, isIdempotent: Bool) async throws {
    let outcome = try await send(method, .ifSafe, doubtful: true)
    #expect(outcome.code == (isIdempotent ? nil : .replayUnsafe))
    #expect(outcome.sent == (isIdempotent ? 2 : 1))
    #expect(outcome.fixture.server.counts.signIns == 2, "the session is good again in any case")
  }

  @Test("The app can override both ways")
  func override() async throws {
    #expect(try await send(.post, .always, doubtful: true).sent == 2)
    let never = try await send(.get, .never, doubtful: false)
    #expect(never.code == .replayUnsafe)
    #expect(never.sent == 1)
  }
}
