import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// OpenID Connect Core §3.1.3.7: one claim is wrong in each case, and everything else is right.
@Suite("OpenID-3: the claims of an ID token", .timeLimit(.minutes(20)))
struct IDTokenClaimsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let code: JOSEError.Code
    let place: String
    let change: @Sendable (inout [String: JSONValue]) -> Void

    var testDescription: String { name }

    init(
      _ name: String, _ code: JOSEError.Code, _ place: String,
      _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) {
      self.name = name
      self.code = code
      self.place = place
      self.change = change
    }
  }

  static let cases: [Case] = [
    Case("oidcc-client-test-invalid-iss", .wrongIssuer, "§3.1.3.7 (2)") { $0["iss"] = "https://as.test/" },
    Case("fapi2-invalid-missing-iss", .claimMissing, "§3.1.3.7 (2)") { $0["iss"] = nil },
    Case("oidcc-client-test-invalid-aud", .wrongAudience, "§3.1.3.7 (3)") { $0["aud"] = "another" },
    Case("oidcc-client-test-missing-aud, fapi2-invalid-missing-aud", .claimMissing, "§3.1.3.7 (3)") { $0["aud"] = nil },
    Case("invalid aud in a list", .wrongAudience, "§3.1.3.7 (3)") { $0["aud"] = .array(["one", "another"]) },
    Case("aud that is no text", .wrongAudience, "§3.1.3.7 (3)") { $0["aud"] = .array(["app", 1]) },
    Case("several audiences without azp", .wrongAuthorizedParty, "§3.1.3.7 (4)") {
      $0["aud"] = .array(["app", "other"])
    },
    Case("invalid azp", .wrongAuthorizedParty, "§3.1.3.7 (5)") { $0["azp"] = "other" },
    Case("azp that is no text", .wrongAuthorizedParty, "§3.1.3.7 (5)") { $0["azp"] = .array(["app"]) },
    Case("oidcc-client-test-missing-sub", .claimMissing, "§2") { $0["sub"] = nil },
    Case("empty sub", .wrongSubject, "§2") { $0["sub"] = "" },
    Case("sub of 256 characters", .wrongSubject, "§2") { $0["sub"] = .string(String(repeating: "a", count: 256)) },
    Case("sub that is not ASCII", .wrongSubject, "§2") { $0["sub"] = "änn" },
    Case("expired", .expired, "§3.1.3.7 (9)") { $0["exp"] = $0["iat"].map { .integer(Int64($0.double ?? 0) - 61) } },
    Case("missing exp", .claimMissing, "§3.1.3.7 (9)") { $0["exp"] = nil },
    Case("oidcc-client-test-missing-iat", .claimMissing, "§3.1.3.7 (10)") { $0["iat"] = nil },
    Case("issued in the future", .notYetValid, "§3.1.3.7 (10)") {
      $0["iat"] = $0["iat"].map { .integer(Int64($0.double ?? 0) + 61) }
    },
    Case("oidcc-client-test-nonce-invalid", .wrongNonce, "§3.1.3.7 (11)") { $0["nonce"] = "other" },
    Case("missing nonce", .wrongNonce, "§3.1.3.7 (11)") { $0["nonce"] = nil },
    Case("oidcc-client-test-invalid-athash", .wrongAccessToken, "§3.1.3.8") {
      $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ"
    },
    Case("at_hash that is no text", .wrongAccessToken, "§3.1.3.8") { $0["at_hash"] = 1 },
    Case("a logout token", .wrongType, "Back-Channel Logout 1.0 §2.4") {
      $0["events"] = .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])
    },
  ]

  @Test("OpenID-3: an ID token with one wrong claim is refused, and the error names the rule", arguments: cases)
  func refused(_ one: Case) async throws {
    let stub = try OpenIDStub()
    stub.change(one.change)
    let error = try #require(try await stub.refusal())
    #expect(error.code == one.code)
    #expect(error.source?.hasSuffix(one.place) == true, "\(error.source ?? "no place")")
    #expect(
      Set(stub.oauth.state.withLock { $0.revoked }) == ["refresh-1", "access-1"],
      "what belongs to no sign-in is given back")
  }

  @Test(
    "OpenID-3: oidcc-client-test, fapi2-valid-aud-as-array: right claims are believed, those that are seldom seen too",
    arguments: [
      [:], ["aud": .array(["app"])], ["aud": .array(["other", "app"]), "azp": "app"], ["azp": "app"], ["sub": "x"],
      ["nbf": 0], ["unknown": .object(["a": .array([1, 2])])],
      ["events": .object(["https://as.test/events/other": true])],
    ] as [[String: JSONValue]])
  func believed(_ more: [String: JSONValue]) async throws {
    let stub = try OpenIDStub()
    stub.change { $0.merge(more) { $1 } }
    let grant = try await stub.signIn()
    #expect(grant.user.id == more["sub"]?.string ?? "ann")
    #expect(!grant.needsIdentification)
    #expect(stub.oauth.transport.count(.get, "/userinfo") == 0, "the ID token says who it is")
  }

  @Test("OpenID-3: a sub of 255 characters is one")
  func longestSubject() async throws {
    let stub = try OpenIDStub()
    let subject = String(repeating: "s", count: 255)
    stub.state.withLock { $0.subject = subject }
    #expect(try await stub.signIn().user.id == subject)
  }

  @Test("OpenID-3: other recipients are trusted as the policy says")
  func otherAudiences() async throws {
    let stub = try OpenIDStub()
    stub.change {
      $0["aud"] = .array(["app", "api"])
      $0["azp"] = "app"
    }
    #expect(try await stub.refusal() == nil)
    let strict = try stub.authenticator(stub.client { $0.trustedAudiences = [] })
    #expect(try await stub.refusal(strict)?.code == .untrustedAudience)
    let listed = try stub.authenticator(stub.client { $0.trustedAudiences = ["api"] })
    #expect(try await stub.refusal(listed) == nil)
  }

  @Test("OpenID-3: another name of the issuer's is believed only where the policy has it")
  func otherIssuerNames() async throws {
    let stub = try OpenIDStub()
    stub.change { $0["iss"] = "as.test" }
    #expect(try await stub.refusal()?.code == .wrongIssuer)
    let named = try stub.authenticator(stub.client { $0.otherIssuerNames = ["as.test"] })
    #expect(try await stub.refusal(named) == nil)
  }

  @Test("OpenID-3: an ID token may be as old as the policy allows")
  func maximumAge() async throws {
    let stub = try OpenIDStub()
    stub.change { $0["iat"] = .integer(Int64($0["iat"]?.double ?? 0) - 7 * 86_400) }
    #expect(try await stub.refusal() == nil, "it says itself when it ends")
    let strict = try stub.authenticator(stub.client { $0.maximumAge = .seconds(600) })
    #expect(try await stub.refusal(strict)?.code == .tooOld)
  }

  @Test("OpenID-3: no ID token, though one was asked for, is a refusal; of less than was asked for it is none")
  func missing() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.givesIDToken = false }
    let error = try #require(try await stub.refusal())
    #expect(error.source == "OpenID Connect Core §3.1.3.3")
    #expect(Set(stub.oauth.state.withLock { $0.revoked }) == ["refresh-1", "access-1"])
    stub.oauth.answer { _ in .json(["access_token": "a", "scope": "other"]) }
    stub.oauth.state.withLock { $0.accessTokens = ["a"] }
    #expect(try await stub.signIn().user.id == "u1", "userinfo says who it is then")
  }

  @Test("OpenID-3: without the scope openid nothing is asked of an ID token, and no nonce is sent")
  func withoutScope() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.givesIDToken = false }
    let request = try AuthorizationRequest(stub.client(), redirectURI: OAuthStub.redirectURI, scope: "orders")
    #expect(request.nonce == nil)
    #expect(request.url.query()?.contains("nonce") == false)
    let authenticator = try stub.authenticator(flow: stub.flow(scope: "orders"))
    #expect(try await stub.signIn(authenticator).user.id == "u1")
  }
}
