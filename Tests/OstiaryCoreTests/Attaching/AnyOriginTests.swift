import Foundation
import HTTPTypes
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

@Suite("Challenges from any origin, where the app allows them by name")
struct AnyOriginTests {
  /// A gate whose session has a header field, besides its cookie.
  private struct Marked: Authenticator {
    let inner = GateWorld.Client()
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }
    var proofNeed = ProofNeed.whenChallenged
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await inner.signIn(with: credential, in: context)
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {}
    func attachment(for session: Session) -> ProofAttachment {
      ProofAttachment(
        origins: origins, fields: [HTTPField(name: .authorization, value: "Bearer secret")],
        cookies: session.proof.cookies)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      inner.judge(response, to: request)
    }
  }

  private let foreign = TransportRequest(
    HTTPRequest(method: .get, scheme: "https", authority: "other.example", path: "/things"))

  private func manager(
    _ world: GateWorld, _ authenticator: some Authenticator, isAllowed: Bool = true
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    configuration.unsafelyAcceptsChallengesFromAnyOrigin = isAllowed
    return SessionManager(
      authenticator: authenticator, transport: world.transport, credentials: .byHandler, configuration: configuration,
      clock: world.clock)
  }

  @Test("A challenge of another origin is the app's answer unless the app allows it")
  func notAllowed() async throws {
    let world = GateWorld()
    let manager = manager(world, Marked(), isAllowed: false)
    #expect(try await AuthenticatedTransport(manager).send(foreign).text == "who are you?")
    #expect(world.signIns == 0)
  }

  /// A path of the other origin whose first answer is a challenge.
  private func challengedOnce(_ world: GateWorld) -> TransportRequest {
    world.transport.inject(
      .respond(TransportResponse(HTTPResponse(status: .ok), body: Data("who are you?".utf8))),
      into: .get("/elsewhere"), at: .nth(1))
    world.transport.on(.get, "/elsewhere") { _ in .status(.ok) }
    var request = foreign
    request.head.path = "/elsewhere"
    return request
  }

  @Test("Where it is allowed, the challenge is answered, and the request is sent again to its own address")
  func allowed() async throws {
    let world = GateWorld()
    let manager = manager(world, Marked())
    #expect(try await AuthenticatedTransport(manager).send(challengedOnce(world)).text == "")
    #expect(world.signIns == 1)
    let sent = world.transport.requests.map(\.head).filter { $0.path == "/elsewhere" }
    #expect(sent.map(\.authority) == ["other.example", "other.example"])
  }

  @Test("An origin that challenges again and again is given up on")
  func bounded() async throws {
    let world = GateWorld()
    let manager = manager(world, Marked())
    let error = await failure { try await AuthenticatedTransport(manager).send(foreign) }
    #expect(error?.code == .challengedAgain)
    #expect(world.signIns == 2)
  }

  @Test("Invariant 11: no proof of the session goes there, and no cookie is taken from there")
  func proofStaysHome() async throws {
    let world = GateWorld()
    world.transport.on(.get, "/open") { _ in
      .status(.ok, headerFields: [.setCookie: "gate=planted; Path=/"])
    }
    let manager = manager(world, Marked())
    let http = AuthenticatedTransport(manager)
    #expect(try await http.send(ManagerFixture.request()).text == "come in")
    let session = try #require(manager.current)
    var open = foreign
    open.head.path = "/open"
    #expect(try await http.send(open).status == .ok)
    let sent = try #require(world.transport.requests.last)
    #expect(sent.head.authority == "other.example")
    #expect(sent.head.headerFields[.authorization] == nil)
    #expect(sent.head.headerFields[.cookie] == nil)
    #expect(manager.current?.proof == session.proof)
  }

  @Test("A refusal there is one of the session, which is renewed; the session's own requests carry the new proof")
  func refused() async throws {
    let world = GateWorld()
    let manager = manager(world, Marked())
    let http = AuthenticatedTransport(manager)
    _ = try await http.send(ManagerFixture.request())
    let version = try #require(manager.current?.version)
    #expect(try await http.send(challengedOnce(world)).status == .ok)
    #expect(world.signIns == 2)
    #expect(manager.current?.version != version)
    #expect(try await http.send(ManagerFixture.request()).text == "come in")
    #expect(world.signIns == 2)
  }

  @Test("A kind that always needs a session signs in for its own requests alone")
  func always() async throws {
    let world = GateWorld()
    var authenticator = Marked()
    authenticator.proofNeed = .always
    let manager = manager(world, authenticator)
    world.transport.on(.get, "/open") { _ in .status(.ok) }
    var open = foreign
    open.head.path = "/open"
    #expect(try await AuthenticatedTransport(manager).send(open).status == .ok)
    #expect(world.signIns == 0)
  }
}
