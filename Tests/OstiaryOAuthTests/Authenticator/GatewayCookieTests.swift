import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// A gateway in front of the API gives newer cookies with its answers. They are the gateway's session, not the one of tokens.
@Suite("Tokens behind a gateway that rolls its cookies", .timeLimit(.minutes(20)))
struct GatewayCookieTests {
  private let things = OAuthStub.url("/things")
  private static let rolled = TransportResponse.status(.ok, headerFields: [.setCookie: "gw=2; Path=/; Secure"])

  @Test("No cookie is proof of a session of tokens: a newer one renews nothing, and no response waits for the store")
  func nothingRenewed() async throws {
    let stub = OAuthStub()
    let store = FaultyStore()
    let manager = try stub.manager(store: store)
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    let before = try #require(manager.current)
    let saves = store.count(.save)
    stub.transport.on(.get, "/things") { _ in Self.rolled }
    #expect(try await http.get(things).status == .ok)
    #expect(manager.current?.version == before.version)
    #expect(store.count(.save) == saves)
    #expect(!manager.history.contains { $0.cause == .refreshedByServer })
    #expect(try !stub.authenticator().isProof(cookieNamed: "gw"))
  }

  @Test("A session whose refresh token was refused is not taken up again by a gateway's cookie that comes later")
  func staysEnded() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager(flow: OAuthStub.flowOfOneSignIn())
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.transport.on(.get, "/slow") { _ in Self.rolled }
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/slow"), at: .nth(1))
    let slow = Task { try await http.get(OAuthStub.url("/slow")) }
    try await gate.waitForArrivals(1)
    stub.dropAccessTokens()
    stub.answer { _ in .json(["error": "invalid_grant"], status: .badRequest) }
    #expect(await failure { try await http.get(things) }?.disposition == .terminal)
    #expect(manager.current == nil)
    gate.open()
    #expect(try await slow.value.status == .ok)
    #expect(manager.current == nil)
    #expect(!manager.status.isSignedIn)
    #expect(!manager.history.contains { $0.cause == .refreshedByServer })
  }
}
