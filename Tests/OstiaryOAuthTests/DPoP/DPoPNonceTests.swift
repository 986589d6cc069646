import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("DPoP: nonces", .timeLimit(.minutes(20)))
struct DPoPNonceTests {
  private let stub = DPoPStub()

  @Test("DPoP-6: a nonce that is demanded is learnt from the refusal, which is none, and used from then on")
  func demanded() async throws {
    stub.change { $0.token.nonces = .steady }
    stub.change { $0.api.nonces = .steady }
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    for _ in 0..<3 { #expect(try await http.get(DPoPStub.things).status == .ok) }
    // One refusal at each origin: nonces of one are none of the other's.
    #expect(stub.read { $0.token.refusals } == ["use_dpop_nonce"])
    #expect(stub.read { $0.api.refusals } == ["use_dpop_nonce"])
    #expect(manager.history.allSatisfy { $0.kind != .failed && $0.kind != .rejected })
    stub.clock.advance(by: .seconds(7200))
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.read { $0.token.refusals.count } == 1)
  }

  @Test(
    "DPoP-6, fapi2-rs-dpop-auth-scheme-case-insensitivity: the scheme of a challenge may be written anyhow",
    arguments: ["dpop", "DPOP", "dPoP"])
  func scheme(_ scheme: String) async throws {
    stub.change { state in
      state.api.nonces = .steady
      state.scheme = scheme
    }
    let manager = try stub.manager()
    #expect(try await AuthenticatedTransport(manager).get(DPoPStub.things).status == .ok)
    #expect(stub.read { $0.api.refusals } == ["use_dpop_nonce"])
  }

  @Test("DPoP-6: a POST that was refused for its nonce is sent again, for the server has not acted")
  func post() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    _ = try await http.get(DPoPStub.things)
    stub.change { $0.api.nonces = .steady }
    let request = try TransportRequest.post(DPoPStub.things, body: Data("{}".utf8), contentType: "application/json")
    #expect(try await http.send(request).status == .ok)
    #expect(stub.transport.count(.post, "/things") == 2)
    // A request that must not be repeated is not.
    stub.change { $0.api.number += 1 }
    let error = await failure {
      var once = try TransportRequest.post(DPoPStub.things, body: Data("{}".utf8), contentType: "application/json")
      once.replay = .never
      return try await http.send(once)
    }
    #expect(error?.code == .replayUnsafe)
    #expect(stub.transport.count(.post, "/things") == 3)
  }

  @Test("DPoP-6: each answer's nonce is learnt, a success's and an error's too: one request each")
  func everyAnswer() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    stub.change { $0.api.nonces = .newest }
    stub.change { $0.token.nonces = .newest }
    _ = try await http.get(DPoPStub.things)
    let before = stub.transport.count
    for _ in 0..<5 { #expect(try await http.get(DPoPStub.things).status == .ok) }
    #expect(stub.transport.count == before + 5)
    // The refusal of a token brings one as well.
    stub.change { $0.accessTokens = [:] }
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.transport.count == before + 8)
    #expect(stub.read { $0.api.refusals.count } == 1)
  }

  @Test("DPoP-7: it is repeated three times at most, at the API and at the token endpoint, and ends nothing")
  func bounded() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.change { $0.api.nonces = .newest }
    stub.change { $0.token.nonces = .newest }
    stub.change { $0.api.insists = "use_dpop_nonce" }
    stub.change { $0.token.insists = "use_dpop_nonce" }
    var before = stub.transport.count
    let error = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(error.code == .challengedAgain && error.isTransient)
    #expect(stub.transport.count == before + 4)
    before = stub.transport.count
    stub.clock.advance(by: .seconds(7200))
    let renewal = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(renewal.code == .proofRefused && renewal.isTransient)
    #expect((renewal.underlying as? OAuthRefusal)?.code == .useDPoPNonce)
    #expect(stub.transport.count == before + 4)
    #expect(manager.current != nil)
    stub.change { $0.api.insists = nil }
    stub.change { $0.token.insists = nil }
    stub.clock.advance(by: .seconds(3600))
    #expect(try await http.get(DPoPStub.things).status == .ok)
  }

  @Test("DPoP-7: it is not repeated where the answer brings no nonce, or the one that was shown")
  func nothingNew() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.change { $0.api.insists = "use_dpop_nonce" }
    var before = stub.transport.count
    #expect(await failure { try await http.get(DPoPStub.things) }?.code == .proofRefused)
    #expect(stub.transport.count == before + 1)
    stub.change { $0.api.nonces = .steady }
    before = stub.transport.count
    // The first refusal brings a nonce; the second the same.
    #expect(await failure { try await http.get(DPoPStub.things) }?.code == .proofRefused)
    #expect(stub.transport.count == before + 2)
    #expect(manager.current != nil)
  }

  @Test("DPoP-7: what can't be in a proof is no nonce")
  func strangeNonces() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    _ = try await http.get(DPoPStub.things)
    for text in ["a b", "a\"b", "a\\b", String(repeating: "n", count: 1025), "é"] {
      stub.transport.on(.get, "/things") { _ in
        var response = DPoPStub.challenge("use_dpop_nonce")
        response.head.headerFields[nonceField] = text
        return response
      }
      let before = stub.transport.count
      #expect(await failure { try await http.get(DPoPStub.things) }?.code == .proofRefused, "\(text)")
      #expect(stub.transport.count == before + 1, "\(text)")
    }
  }

  @Test("DPoP-8: a server that takes its newest nonce alone gets one request at a time")
  func oneAtATime() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    try await crowd(http)
    let refused = stub.read { $0.api.refusals.count }
    // It is known by now: a request is sent with what the one before it was answered with, but for the few that try whether that is
    // still so.
    let before = stub.transport.count
    try await burst(20, http)
    let tries = stub.read { $0.api.refusals.count } - refused
    #expect(tries <= 4)
    #expect(stub.transport.count == before + 20 + tries)
    // Where nonces stay good, requests go side by side again.
    stub.change { $0.api.nonces = .steady }
    _ = try await http.get(DPoPStub.things)
    _ = try await http.get(DPoPStub.things)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/things"))
    async let all: Void = burst(5, http)
    try await gate.waitForArrivals(5)
    gate.open()
    try await all
  }

  @Test("DPoP-8: who is cancelled while it waits for its turn leaves the others theirs")
  func cancelledInLine() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    // So few that it is not tried whether the server takes more.
    try await crowd(http, 5)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let first = Task { try await http.get(DPoPStub.things) }
    try await gate.waitForArrivals(1)
    let second = Task { try await http.get(DPoPStub.things) }
    let third = Task { try await http.get(DPoPStub.things) }
    second.cancel()
    await #expect(throws: (any Error).self) { try await second.value }
    gate.open()
    #expect(try await first.value.status == .ok)
    #expect(try await third.value.status == .ok)
  }

  @Test("DPoP-8: a request that hangs holds up the others for ten seconds each time, and no longer")
  func hangingRequest() async throws {
    let http = AuthenticatedTransport(try stub.manager())
    try await crowd(http, 5)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let hanging = Task { try await http.get(DPoPStub.things) }
    try await gate.waitForArrivals(1)
    let (sleepers, sent) = (stub.clock.sleepers, stub.transport.count)
    let other = Task { try await http.get(DPoPStub.things) }
    // The server has spent the nonce that is known here: it is sent again, and waits once more.
    for turn in 0..<2 {
      try await waitUntil("a request in line") {
        stub.clock.sleepers > sleepers || stub.transport.count > sent + turn
      }
      #expect(stub.transport.count == sent + turn)
      stub.clock.advance(by: .seconds(10))
    }
    #expect(try await other.value.status == .ok)
    gate.open()
    #expect(try await hanging.value.status == .ok)
  }

  @Test("DPoP-9: fifty tasks on one expired session, with a nonce that changes with every answer: one renewal")
  func storm() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.change { $0.api.nonces = .newest }
    stub.change { $0.token.nonces = .newest }
    for round in 1...5 {
      stub.clock.advance(by: .seconds(7200))
      try await burst(50, http)
      #expect(stub.read(\.refreshes) == round)
    }
    // The same where the server says it, and not the clock.
    stub.change { $0.accessTokens = [:] }
    try await burst(50, http)
    #expect(stub.read(\.refreshes) == 6)
    #expect(manager.history.allSatisfy { $0.kind != .signedOut && $0.kind != .failed })
    #expect(
      stub.read { $0.token.thumbprints + $0.api.thumbprints }.allSatisfy {
        $0 == stub.read { $0.token.thumbprints.first }
      })
    #expect(!stub.read { $0.token.refusals + $0.api.refusals }.contains("invalid_dpop_proof"))
  }

  @Test("DPoP-10: a statement of the client's is made anew for a request that is sent again for its nonce")
  func newStatement() async throws {
    stub.change { $0.token.nonces = .steady }
    let key = try SigningKey.make(.es256)
    let client = try stub.client(authentication: .privateKeyJWT(key))
    _ = try await stub.manager(client).session()
    let assertions = stub.read(\.assertions)
    #expect(assertions.count == 2)
    let names = try assertions.map { try PresentedToken($0).unverifiedClaims["jti"]?.string }
    #expect(Set(names).count == 2)
  }

  @Test("DPoP-10: a server that wants proof of a session without a key renews nothing and ends nothing")
  func bearerSession() async throws {
    let bearer = OAuthStub()
    let manager = try bearer.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(OAuthStub.url("/things"))
    for word in ["use_dpop_nonce", "invalid_dpop_proof"] {
      bearer.transport.on(.get, "/things") { _ in DPoPStub.challenge(word) }
      let error = try #require(await failure { try await http.get(OAuthStub.url("/things")) })
      #expect(error.code == .proofRefused && error.isTransient)
    }
    #expect(bearer.state.withLock { $0.refreshes } == 0)
    #expect(manager.current != nil)
  }

  /// Requests show the same nonce, of which the server takes one: it is seen that it takes its newest alone.
  private func crowd(_ http: AuthenticatedTransport, _ count: Int = 20) async throws {
    stub.change { $0.api.nonces = .newest }
    _ = try await http.get(DPoPStub.things)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/things"))
    async let all: Void = burst(count, http)
    try await gate.waitForArrivals(count)
    gate.open()
    try await all
    stub.transport.setFaults()
  }

  private func burst(_ count: Int, _ http: AuthenticatedTransport) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          let status = try await http.get(DPoPStub.things).status
          #expect(status == .ok)
        }
      }
      try await group.waitForAll()
    }
  }
}
