import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A request is about the user of the moment at which it was made, also where the server names no user and where several
/// layers carry it.
@Suite("Invariant 16: whose request it is", .timeLimit(.minutes(5)))
struct RequestOwnerTests {
  /// The scripted authenticator of a server that does not say who has signed in, as many gateways don't.
  struct Unnamed: Authenticator {
    let base: ScriptedAuthenticator
    var kind: AuthenticatorKind { base.kind }
    var server: URL { base.server }
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      let grant = try await base.signIn(with: credential, in: context)
      return SessionGrant(user: .unknown, proof: grant.proof)
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      guard case .renewed(let grant) = try await base.renew(session, in: context) else { return .needsCredential }
      return .renewed(SessionGrant(user: .unknown, proof: grant.proof))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      try await base.verify(session, in: context)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      try await base.end(session, in: context)
    }
    func attachment(for session: Session) -> ProofAttachment { base.attachment(for: session) }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      base.judge(response, to: request)
    }
  }

  private func unnamed(_ fixture: ManagerFixture, _ credentials: CredentialSource = .manual) -> SessionManager {
    SessionManager(
      authenticator: Unnamed(base: ScriptedAuthenticator()), transport: fixture.transport, credentials: credentials,
      clock: fixture.clock)
  }

  /// Sends a request whose answer, a refusal, is held until the user has signed out and another one in.
  private func straddle(_ fixture: ManagerFixture, _ manager: SessionManager, next: Credential) async throws
    -> OstiaryError.Code?
  {
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    let request = Task { await failure { try await http.send(ManagerFixture.request()) }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    try await manager.signIn(with: next)
    gate.open()
    return await request.value
  }

  @Test("A request of an unnamed user is not sent again for the next unnamed user")
  func unnamedUsers() async throws {
    let fixture = ManagerFixture()
    #expect(try await straddle(fixture, unnamed(fixture), next: ManagerFixture.ben) == .signedOut)
    #expect(fixture.server.counts.executed == 0)
  }

  @Test("A request that was made before a sign-out is not sent again after it, whoever signs in")
  func sameUser() async throws {
    let fixture = ManagerFixture()
    #expect(try await straddle(fixture, fixture.manager(), next: ManagerFixture.ann) == .signedOut)
    #expect(fixture.server.counts.executed == 0)
  }

  @Test("A request of an unnamed user goes on with the sign-in that the server's refusal led to")
  func onDemand() async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = unnamed(fixture, .upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.server.dropSessions()
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.signIns == 2)
    #expect(fixture.server.executed(for: "ann") == 1)
  }

  /// A session above a gateway's: its server refuses with 403.
  struct Above: Authenticator {
    let kind = AuthenticatorKind("above")
    let server = ScriptedAuthenticator.defaultServer
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      SessionGrant(user: .init(id: "app"), proof: Proof(tokens: ["t": "1"]))
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      .renewed(SessionGrant(user: .init(id: "app"), proof: Proof(tokens: ["t": "2"])))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {}
    func attachment(for session: Session) -> ProofAttachment {
      guard let origin = Origin(server), let token = session.proof.tokens["t"], let name = HTTPField.Name("X-App")
      else { return ProofAttachment() }
      return ProofAttachment(origins: [origin], fields: [HTTPField(name: name, value: token.reveal())])
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      response.status == .forbidden ? .rejected(reason: "403", mayHaveExecuted: false) : .accepted
    }
  }

  @Test("A request that a layer sends again is of its first moment in the layers below", arguments: [true, false])
  func layers(changes: Bool) async throws {
    let fixture = ManagerFixture()
    let gateway = fixture.manager()
    try await gateway.signIn(with: ManagerFixture.ann)
    let app = SessionManager(
      authenticator: Above(), transport: AuthenticatedTransport(gateway),
      credentials: .upFront(.password(username: "app", password: "lication")), clock: fixture.clock)
    _ = try await app.session()
    fixture.transport.on(.get, "/things") { request in
      .status(request.head.headerFields.contains { $0.value == "1" } ? .forbidden : .ok)
    }
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let http = AuthenticatedTransport(app)
    let request = Task { await failure { try await http.send(ManagerFixture.request()) }?.code }
    try await gate.waitForArrivals(1)
    if changes {
      await gateway.signOut()
      try await gateway.signIn(with: ManagerFixture.ben)
    }
    gate.open()
    #expect(await request.value == (changes ? .signedOut : nil))
    #expect(fixture.transport.count(.get, "/things") == (changes ? 1 : 2))
  }
}
