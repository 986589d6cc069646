import Foundation
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryOAuth

@Suite("OpenID-3: what a sign-in asks of its ID token", .timeLimit(.minutes(20)))
struct IDTokenRequestTests {
  @Test("OpenID-3: each request has a nonce of 256 bits of its own, and Apple's sheet gets its SHA-256")
  func nonce() throws {
    let stub = try OpenIDStub()
    let client = try stub.client()
    let requests = try (0..<3).map { _ in
      try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI, scope: "openid profile")
    }
    let nonces = requests.compactMap { $0.nonce?.value.reveal() }
    #expect(Set(nonces).count == 3)
    for (request, nonce) in zip(requests, nonces) {
      #expect(nonce.utf8.count == 43, "32 bytes in base64url")
      let sent = FormEncoding.parse(request.url.query() ?? "").filter { $0.name == "nonce" }
      #expect(sent.map(\.value) == [nonce])
      #expect(!"\(request)".contains(nonce))
    }
    #expect(
      IDTokenNonce("abc").sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("OpenID-3: a nonce of the app's own is sent once, and is the one that counts")
  func ownNonce() throws {
    let stub = try OpenIDStub()
    let request = try AuthorizationRequest(
      stub.client(), redirectURI: OAuthStub.redirectURI, scope: "openid", parameters: ["nonce": "mine"])
    #expect(request.expectation?.nonce == "mine")
    let sent = FormEncoding.parse(request.url.query() ?? "").filter { $0.name == "nonce" }
    #expect(sent.map(\.value) == ["mine"])
  }

  @Test("OpenID-3: a native sheet's ID token has the SHA-256 of the nonce")
  func hashedNonce() async throws {
    let stub = try OpenIDStub()
    let nonce = IDTokenNonce()
    stub.state.withLock { $0.nonce = nonce.sha256 }
    let cases: [(Secret, JOSEError.Code?)] = [(Secret(nonce.sha256), nil), (nonce.value, .wrongNonce)]
    for (expected, code) in cases {
      let flow = OAuthFlow(needsPerson: true) { client, context in
        try await client.tokens(forGrant: "sheet", parameters: [:], in: context)
          .expecting(IDTokenExpectation(nonce: expected))
      }
      #expect(try await stub.refusal(stub.authenticator(flow: flow))?.code == code)
    }
  }

  @Test("OpenID-3: an ID token that comes alone is verified as one that comes with tokens")
  func alone() async throws {
    let stub = try OpenIDStub()
    let client = try stub.client()
    let nonce = IDTokenNonce()
    let now = Int64(stub.oauth.clock.now.timeIntervalSince1970)
    let signer = stub.state.withLock { $0.signer }
    let text = try signer.sign([
      "iss": .string(OpenIDStub.issuer), "aud": "app", "sub": "ann", "iat": .integer(now), "exp": .integer(now + 300),
      "nonce": .string(nonce.sha256), "at_hash": "77QmUPtjPfzWtF2AnpK9RQ",
    ])
    let expectation = IDTokenExpectation(nonce: Secret(nonce.sha256))
    #expect(try await client.idToken(text, expecting: expectation, in: stub.oauth.context).subject == "ann")
    let other = IDTokenExpectation(nonce: nonce.value)
    let error = await failure { try await client.idToken(text, expecting: other, in: stub.oauth.context) }
    #expect(error?.code == .idTokenRefused && (error?.underlying as? JOSEError)?.code == .wrongNonce)
    let plain = try stub.oauth.client()
    #expect(
      await failure { try await plain.idToken(text, expecting: expectation, in: stub.oauth.context) }?.code
        == .invalidInput)
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    let away = await failure { try await client.idToken(text, expecting: expectation, in: stub.oauth.context) }
    #expect(away?.isTransient == true)
  }

  struct Asked: Sendable, CustomTestStringConvertible {
    let parameters: OAuthParameters
    let claims: [String: JSONValue]
    let code: JOSEError.Code?

    var testDescription: String { "\(parameters.all.map { "\($0.name)=\($0.value)" }) \(claims)" }
  }

  @Test(
    "OpenID-3: auth_time against max_age, and acr against acr_values",
    arguments: [
      // The claims are seconds before now.
      Asked(parameters: ["max_age": "600"], claims: ["auth_time": 500], code: nil),
      Asked(parameters: ["max_age": "600"], claims: ["auth_time": 659], code: nil),
      Asked(parameters: ["max_age": "600"], claims: ["auth_time": 661], code: .authenticationTooOld),
      Asked(parameters: ["max_age": "0"], claims: ["auth_time": 61], code: .authenticationTooOld),
      Asked(parameters: ["max_age": "600"], claims: ["auth_time": -61], code: .authenticationTooOld),
      Asked(parameters: ["max_age": "600"], claims: [:], code: .authenticationTooOld),
      Asked(parameters: [:], claims: ["auth_time": 1_000_000], code: nil),
      Asked(parameters: ["acr_values": "gold silver"], claims: ["acr": "silver"], code: nil),
      Asked(parameters: ["acr_values": "gold silver"], claims: ["acr": "bronze"], code: .wrongContextClass),
      Asked(parameters: ["acr_values": "gold silver"], claims: ["acr": "gold silver"], code: .wrongContextClass),
      Asked(parameters: ["acr_values": "gold"], claims: [:], code: .wrongContextClass),
      Asked(parameters: [:], claims: ["acr": "bronze"], code: nil),
    ])
  func asked(_ one: Asked) async throws {
    let stub = try OpenIDStub()
    let now = Int64(stub.oauth.clock.now.timeIntervalSince1970)
    stub.change { claims in
      claims["acr"] = one.claims["acr"]
      claims["auth_time"] = one.claims["auth_time"]?.double.map { .integer(now - Int64($0)) }
    }
    let authenticator = try stub.authenticator(flow: stub.flow(parameters: one.parameters))
    let error = try await stub.refusal(authenticator)
    #expect(error?.code == one.code)
    if let error { #expect(error.source?.hasPrefix("OpenID Connect Core §3.1.3.7 (1") == true) }
  }

  @Test("OpenID-3: acr_values is only a wish where the policy says so")
  func wish() async throws {
    let stub = try OpenIDStub()
    let client = try stub.client { $0.demandsContextClass = false }
    let authenticator = try stub.authenticator(client, flow: stub.flow(parameters: ["acr_values": "gold"]))
    #expect(try await stub.refusal(authenticator) == nil)
  }

  @Test("OpenID-3: at_hash is the left half of the access token's hash (the example of OpenID Connect Core A.3)")
  func accessTokenHash() async throws {
    let token: Secret = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    #expect(IDTokenRules.leftHalf(of: token, as: .rs256) == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(IDTokenRules.leftHalf(of: token, as: .es512)?.utf8.count == 43)
    #expect(IDTokenRules.leftHalf(of: token, as: .edDSA)?.utf8.count == 43)
    #expect(IDTokenRules.leftHalf(of: token, as: .ps384)?.utf8.count == 32)
    let stub = try OpenIDStub()
    let hash = try #require(IDTokenRules.leftHalf(of: "access-1", as: .es256))
    stub.change { $0["at_hash"] = .string(hash) }
    #expect(try await stub.refusal() == nil)
  }

  @Test("OpenID-3: a clock that is a day off, unsaid, is refused, and the policy may allow for it")
  func clocks() async throws {
    let stub = try OpenIDStub()
    // The server is a day ahead, and nothing says so.
    let server = Int64(stub.oauth.clock.now.timeIntervalSince1970) + 86_400
    stub.change { claims in
      claims["iat"] = .integer(server)
      claims["exp"] = .integer(server + 300)
    }
    #expect(try await stub.refusal()?.code == .notYetValid)
    let lenient = try stub.authenticator(stub.client { $0.skew = .seconds(86_401) })
    #expect(try await stub.refusal(lenient) == nil)
  }

  @Test("OpenID-3: what the server's answer shows of its clock is taken into account", arguments: [-86_400.0, 86_400])
  func measured(_ ahead: TimeInterval) async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.clockAhead = ahead }
    #expect(try await stub.refusal() == nil)
    stub.change { $0["exp"] = .integer(Int64($0["iat"]?.double ?? 0) - 61) }
    #expect(try await stub.refusal()?.code == .expired, "by the server's clock")
  }
}
