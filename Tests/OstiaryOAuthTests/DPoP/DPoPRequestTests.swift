import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("DPoP: requests and their proofs", .timeLimit(.minutes(20)))
struct DPoPRequestTests {
  private let stub = DPoPStub()

  @Test("DPoP-1: a sign-in and its requests are proven with one key, another sign-in's with another")
  func oneKey() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(try await http.get(DPoPStub.things).status == .ok)
    let session = try #require(manager.current)
    #expect(session.proof.tokens[OAuthAuthenticator.tokenType] == "DPoP")
    let stored = try #require(session.proof.tokens[OAuthAuthenticator.proofKey])
    let key = try SoftwareDPoPKeys().key(storedAs: stored)
    #expect(
      stub.read { $0.token.thumbprints + $0.api.thumbprints } == [key.thumbprint, key.thumbprint, key.thumbprint])
    await manager.signOut()
    #expect(try await http.get(DPoPStub.things).status == .ok)
    let next = try #require(manager.current?.proof.tokens[OAuthAuthenticator.proofKey])
    #expect(try SoftwareDPoPKeys().key(storedAs: next).thumbprint != key.thumbprint)
    #expect(stub.read { $0.token.refusals + $0.api.refusals } == [])
  }

  @Test("DPoP-1: key and tokens are written together, always: at the sign-in and at each renewal")
  func oneWrite() async throws {
    let store = FaultyStore()
    let manager = try stub.manager(store: store)
    let http = AuthenticatedTransport(manager)
    for _ in 0..<3 {
      #expect(try await http.get(DPoPStub.things).status == .ok)
      stub.clock.advance(by: .seconds(7200))
    }
    #expect(stub.read(\.refreshes) == 2)
    #expect(store.saved.count >= 3)
    let key = try #require(manager.current?.proof.tokens[OAuthAuthenticator.proofKey]).reveal()
    for data in store.saved {
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains("planted-access-") && text.contains("planted-refresh-") && text.contains(key))
    }
  }

  @Test("DPoP-2: a fresh process renews with the stored key, and proves it in its requests")
  func freshProcess() async throws {
    let store = EphemeralStore()
    _ = try await AuthenticatedTransport(stub.manager(store: store)).get(DPoPStub.things)
    stub.clock.advance(by: .seconds(7200))
    let other = try stub.manager(store: store)
    #expect(try await AuthenticatedTransport(other).get(DPoPStub.things).status == .ok)
    #expect(stub.read(\.refreshes) == 1)
    #expect(Set(stub.read { $0.token.thumbprints + $0.api.thumbprints }).count == 1)
  }

  @Test("DPoP-2: a session keeps its key where the setting is gone, and one from before stays a bearer's")
  func settingsChange() async throws {
    let store = EphemeralStore()
    _ = try await AuthenticatedTransport(stub.manager(store: store)).get(DPoPStub.things)
    stub.clock.advance(by: .seconds(7200))
    let without = try stub.manager(stub.client(nil), store: store)
    #expect(try await AuthenticatedTransport(without).get(DPoPStub.things).status == .ok)

    let bearer = OAuthStub()
    let shared = EphemeralStore()
    _ = try await bearer.manager(store: shared).session()
    bearer.clock.advance(by: .seconds(7200))
    var client = try bearer.client()
    client.dpop = DPoP()
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser),
      transport: bearer.transport, credentials: .byHandler, store: shared, clock: bearer.clock)
    #expect(try await AuthenticatedTransport(manager).get(OAuthStub.url("/things")).status == .ok)
    #expect(bearer.state.withLock { $0.refreshes } == 1)
    #expect(bearer.transport.requests.allSatisfy { $0.head.headerFields[dpopField] == nil })
  }

  @Test("DPoP-3: the proof is for the address without its query, for the method, and for the token")
  func claims() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    let url = try #require(URL(string: "https://api.test/things?access=secret#part"))
    #expect(try await http.send(.post(url, body: Data("{}".utf8), contentType: "application/json")).status == .ok)
    let request = try #require(stub.transport.requests.last)
    let proof = try PresentedToken(try #require(request.head.headerFields[dpopField]))
    #expect(proof.unverifiedClaims["htu"] == "https://api.test/things")
    #expect(proof.unverifiedClaims["htm"] == "POST")
    let access = try #require(manager.current?.proof.tokens[OAuthAuthenticator.accessToken])
    #expect(proof.unverifiedClaims["ath"] == .string(DPoPProofMaker.hash(of: access)))
    #expect(request.head.headerFields[.authorization] == "DPoP " + access.reveal())
    // At the token endpoint there is no token yet.
    let form = try #require(stub.transport.requests.first { $0.head.path == "/token" })
    #expect(try PresentedToken(try #require(form.head.headerFields[dpopField])).unverifiedClaims["ath"] == nil)
  }

  @Test("DPoP-3: the device's poll and userinfo are proven as well")
  func otherEndpoints() async throws {
    let authenticator = try OAuthAuthenticator(
      server: DPoPStub.api, client: stub.client(hasUserInfo: true), flow: .device { _ in })
    let context = stub.context
    async let granted = authenticator.signIn(with: .byHandler, in: context)
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(1))
    let session = try await authenticator.identify(try await granted, in: context)
    #expect(session.user.id == "u1")
    #expect(stub.read { $0.token.thumbprints.count } == 1)
    #expect(stub.read { $0.api.thumbprints } == stub.read { $0.token.thumbprints })
    #expect(stub.read { $0.token.refusals + $0.api.refusals } == [])
  }

  @Test("DPoP-3: each hop of a redirect has a proof for its own address; another origin gets neither proof nor token")
  func redirects() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.transport.on(.get, "/start") { _ in
      .status(.temporaryRedirect, headerFields: [.location: "https://api.test/moved?x=1"])
    }
    let start = try #require(URL(string: "https://api.test/start"))
    #expect(try await http.get(start).status == .ok)
    #expect(stub.read { $0.api.refusals } == [])
    stub.transport.on(.get, "/start") { _ in
      .status(.temporaryRedirect, headerFields: [.location: "https://other.test/away"])
    }
    stub.transport.on(.get, "/away") { _ in .json([:]) }
    #expect(try await http.get(start).status == .ok)
    let last = try #require(stub.transport.requests.last)
    #expect(last.head.authority == "other.test")
    #expect(last.head.headerFields[dpopField] == nil && last.head.headerFields[.authorization] == nil)
  }

  @Test("DPoP-4: proofs are made by the server's clock, however wrong this device's is", arguments: [-7200.0, 7200, 0])
  func serverClock(skew: Double) async throws {
    stub.change {
      $0.skew = skew
      $0.saysTime = true
    }
    let http = AuthenticatedTransport(try stub.manager())
    #expect(try await http.get(DPoPStub.things).status == .ok)
    // The first answer told the time, and the request was made once more; the API's clock is another origin's, and the session knows.
    #expect(stub.read { $0.token.refusals } == (skew == 0 ? [] : ["invalid_dpop_proof"]))
    #expect(stub.read { $0.api.refusals } == [])
    stub.clock.advance(by: .seconds(7200))
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.read { $0.token.refusals.count } == (skew == 0 ? 0 : 1))
  }

  @Test("DPoP-4: a fresh process has the server's clock from its session, and signs for it too")
  func clockOfFreshProcess() async throws {
    stub.change {
      $0.skew = 7200
      $0.saysTime = true
    }
    let (store, key) = (EphemeralStore(), try SigningKey.make(.es256))
    _ = try await stub.manager(stub.client(authentication: .privateKeyJWT(key)), store: store).session()
    stub.clock.advance(by: .seconds(7200))
    let fresh = try stub.manager(stub.client(authentication: .privateKeyJWT(key)), store: store)
    #expect(try await AuthenticatedTransport(fresh).get(DPoPStub.things).status == .ok)
    // The first request of all had to be told.
    #expect(stub.read { $0.token.refusals } == ["invalid_dpop_proof"])
    #expect(stub.read { $0.api.refusals } == [])
    let last = try #require(stub.read { $0.assertions.last })
    let now = Int64(stub.clock.now.timeIntervalSince1970) + 7200
    #expect(try PresentedToken(last).unverifiedClaims["iat"] == .integer(now))
  }

  @Test("DPoP-4: a server that refuses proofs for another reason hears no second one, and nothing ends")
  func refusedProof() async throws {
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.change {
      $0.saysTime = true
      $0.api.insists = "invalid_dpop_proof"
      $0.token.insists = "invalid_dpop_proof"
    }
    let before = stub.transport.count
    let error = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(error.code == .proofRefused && error.isTransient && !error.requestMayHaveExecuted)
    #expect(stub.transport.count == before + 1)
    stub.clock.advance(by: .seconds(7200))
    let renewal = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(renewal.code == .proofRefused && renewal.isTransient)
    #expect(manager.current != nil)
    stub.change {
      $0.api.insists = nil
      $0.token.insists = nil
    }
    stub.clock.advance(by: .seconds(3600))
    #expect(try await http.get(DPoPStub.things).status == .ok)
  }

  @Test("DPoP-5: the request for a code names the key's thumbprint (RFC 9449 §10)")
  func thumbprint() async throws {
    let named = Locked<String?>(nil)
    let flow = OAuthFlow.authorizationCode(
      in: ClosureUserAgent { request in
        let pairs = FormEncoding.parse(request.url.query(percentEncoded: true) ?? "")
        named.withLock { $0 = pairs.first { $0.name == "dpop_jkt" }?.value }
        return try request.callback(["code": "c"])
      }, redirectURI: OAuthStub.redirectURI)
    _ = try await stub.manager(flow: flow).session()
    #expect(named.withLock { $0 } == stub.read { $0.token.thumbprints.first })
    #expect(named.withLock { $0 } != nil)
    let plain = try AuthorizationRequest(OAuthStub().client(), redirectURI: OAuthStub.redirectURI)
    #expect(!plain.url.absoluteString.contains("dpop_jkt"))
  }

  @Test("DPoP-5: a client alone asks for no tokens without a key, and for bound ones with")
  func clientAlone() async throws {
    let client = try stub.client()
    let context = stub.context
    let error = await failure { try await client.tokens(forGrant: "client_credentials", parameters: [:], in: context) }
    #expect(error?.code == .invalidInput)
    #expect(stub.transport.count == 0)
    let key = try SoftwareDPoPKeys().makeKey()
    let tokens = try await client.proving(with: key).tokens(
      forGrant: "client_credentials", parameters: [:], in: context)
    #expect(tokens.proofKey == key.stored && tokens.tokenType == "DPoP")
    #expect(tokens.proof.tokens[OAuthAuthenticator.proofKey] == key.stored)
  }

  @Test("DPoP-5: tokens that are handed over keep the key that they are bound to")
  func handedOver() async throws {
    let tokens = try await stub.client().proving(with: SoftwareDPoPKeys().makeKey()).tokens(
      forGrant: "client_credentials", parameters: [:], in: stub.context)
    for isFresh in [true, false] {
      var proof = tokens.proof
      if !isFresh { proof.tokens[OAuthAuthenticator.accessToken] = nil }
      let manager = try stub.manager(stub.client(hasUserInfo: true))
      try await manager.signIn(with: .proof(proof))
      #expect(manager.current?.proof.tokens[OAuthAuthenticator.proofKey] == tokens.proofKey)
      #expect(try await AuthenticatedTransport(manager).get(DPoPStub.things).status == .ok)
    }
    #expect(stub.read { $0.token.refusals + $0.api.refusals } == [])
  }
}
