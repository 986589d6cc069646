import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 14: a streamed answer that stalls before it can be judged", .timeLimit(.minutes(20)))
struct StalledStreamTests {
  /// Needs to see some of every body.
  private struct Client: Authenticator {
    let client = CookieWorld.Client()
    var kind: AuthenticatorKind { client.kind }
    var server: URL { client.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await client.signIn(with: credential, in: context)
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal { .needsCredential }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {}
    func attachment(for session: Session) -> ProofAttachment { client.attachment(for: session) }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict { .accepted }
    func bodyNeeded(toJudge response: StreamingResponse) -> Int { 1_024 }
  }

  /// Answers with a head and the beginning of a body, and then with nothing more.
  private struct Stalling: Transport {
    let inner: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
    func stream(_ request: TransportRequest) async throws -> StreamingResponse {
      var response = try await inner.stream(request)
      let pieces = Locked([Data("<html>".utf8)])
      response.body = ResponseBody {
        if let piece = pieces.withLock({ $0.popLast() }) { return piece }
        try await Task.sleep(for: .seconds(3_600))
        return nil
      }
      return response
    }
  }

  @Test("It ends with the request's time-out, and the session stays")
  func stalls() async throws {
    let world = CookieWorld()
    let manager = SessionManager(
      authenticator: Client(), transport: world.transport, store: world.store, clock: world.clock)
    try await manager.signIn(with: ManagerFixture.ann)
    var request = ManagerFixture.request()
    request.timeout = .milliseconds(50)
    let http = AuthenticatedTransport(manager, over: Stalling(inner: world.transport))
    #expect(await failure { try await http.stream(request) }?.code == .timedOut)
    #expect(manager.status.isSignedIn)
  }
}
