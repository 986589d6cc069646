import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Rules about claims", .timeLimit(.minutes(20)))
struct TokenRuleTests {
  private let key: SigningKey
  private let keys: KeySet

  init() throws {
    key = try SigningKey.make(.es256)
    keys = try Sample.keys(key)
  }

  /// Which rule refuses the claims of the sample with these changes.
  private func refused(_ changes: [String: JSONValue?], by rules: [TokenRule]? = nil) throws -> JOSEError.Code? {
    var claims = Sample.claims
    for (name, value) in changes { claims[name] = value }
    let text = try key.sign(claims).reveal()
    let verifier =
      rules.map { TokenVerifier(algorithms: [.es256], type: .jwtOrAbsent, rules: $0) } ?? Sample.verifier()
    return refusal { () throws(JOSEError) in try verifier.verify(text, with: keys, at: Sample.now) }
  }

  @Test("JOSE-14: another issuer, by a byte, and none")
  func issuer() throws {
    #expect(try refused([:]) == nil)
    for value in ["https://as.example/", "https://AS.example", "https://as.example.evil", ""] {
      #expect(try refused(["iss": .string(value)]) == .wrongIssuer)
    }
    #expect(try refused(["iss": nil]) == .claimMissing)
    #expect(try refused(["iss": .array([.string(Sample.issuer)])]) == .claimMissing)
    // Equal as Unicode, other bytes.
    let rule = [TokenRule.issuer("https://as.example/K")]
    #expect(try refused(["iss": "https://as.example/K"], by: rule) == nil)
    #expect(try refused(["iss": "https://as.example/\u{212A}"], by: rule) == .wrongIssuer)
  }

  @Test("JOSE-14: another audience, a list of others, and none")
  func audience() throws {
    for value in [JSONValue.array([.string(Sample.audience)]), .array(["x", .string(Sample.audience)])] {
      #expect(try refused(["aud": value]) == nil)
    }
    for value in ["https://other.example", .array([]), .array(["x"]), .array([.string(Sample.audience), 1]), 1, .null]
      as [JSONValue]
    {
      #expect(try refused(["aud": value]) == .wrongAudience)
    }
    #expect(try refused(["aud": nil]) == .claimMissing)
    let either = [TokenRule.audience(anyOf: ["a", Sample.audience])]
    #expect(try refused([:], by: either) == nil && refused(["aud": "b"], by: either) == .wrongAudience)
  }

  @Test("JOSE-14: the end, with clocks that may differ by a minute")
  func end() throws {
    for (end, code) in [
      (1_800_000_001, nil), (1_799_999_941, nil), (1_799_999_940, .expired), (0, .expired), (-1, .expired),
    ]
      as [(Int64, JOSEError.Code?)]
    {
      #expect(try refused(["exp": .integer(end)]) == code, "\(end)")
    }
    #expect(try refused(["exp": .number(1_799_999_940.5)]) == nil)
    #expect(try refused(["exp": nil]) == .claimMissing)
    #expect(try refused(["exp": "1800000300"]) == .claimMissing)
    #expect(try refused(["exp": .number(1e300)]) == nil)
    let near = [TokenRule.expires(within: .seconds(300))]
    #expect(try refused(["exp": 1_800_000_360], by: near) == nil)
    #expect(try refused(["exp": 1_800_000_361], by: near) == .tooOld)
    #expect(try refused(["exp": nil], by: near) == .claimMissing)
    #expect(try refused(["exp": 1_799_999_999], by: [.unexpired(skew: .zero)]) == .expired)
  }

  @Test("JOSE-14: the beginning, and the moment of issue")
  func beginning() throws {
    #expect(try refused(["nbf": 1_800_000_060]) == nil && refused(["nbf": 1_800_000_061]) == .notYetValid)
    #expect(try refused(["nbf": "now"]) == .claimMissing)
    #expect(try refused(["iat": 1_800_000_060]) == nil && refused(["iat": 1_800_000_061]) == .notYetValid)
    #expect(try refused(["iat": 1_799_999_340]) == nil && refused(["iat": 1_799_999_339]) == .tooOld)
    #expect(try refused(["iat": nil]) == .claimMissing)
  }

  @Test("JOSE-14: claims that have to be there, or not, or to be a text")
  func others() throws {
    #expect(
      try refused([:], by: [.present("sub")]) == nil && refused(["sub": nil], by: [.present("sub")]) == .claimMissing)
    #expect(try refused(["sub": .some(.null)], by: [.present("sub")]) == .claimMissing)
    #expect(
      try refused([:], by: [.absent("nonce")]) == nil && refused(["nonce": "n"], by: [.absent("nonce")]) == .wrongClaim)
    let rule = [TokenRule.claim("nonce", is: "n-0S6_WzA2Mj")]
    #expect(try refused(["nonce": "n-0S6_WzA2Mj"], by: rule) == nil)
    #expect(try refused(["nonce": "n-0S6_WzA2MJ"], by: rule) == .wrongClaim)
    #expect(try refused([:], by: rule) == .claimMissing)
  }

  @Test(
    "JOSE-14: the first rule that refuses is named, rules of one's own too, and no rule sees a token that is not signed"
  )
  func order() throws {
    let own = TokenRule { token, _ throws(JOSEError) in
      throw JOSEError(JOSEError.Code("house_rule"), "Not here: \(token.claims.count).")
    }
    #expect(try refused(["exp": 0], by: [own, .unexpired()]) == JOSEError.Code("house_rule"))
    #expect(try refused(["exp": 0], by: [.unexpired(), own]) == .expired)
    let text = try key.sign(Sample.claims).reveal()
    let verifier = TokenVerifier(algorithms: [.es256], type: .jwtOrAbsent, rules: [own])
    let others = try Sample.keys(SigningKey.make(.es256))
    #expect(
      refusal { () throws(JOSEError) in try verifier.verify(text, with: others, at: Sample.now) } == .wrongSignature)
  }

  @Test("An error says which rule it was and where it stands, and nothing of the token")
  func words() throws {
    let text = try key.sign(Sample.claims.merging(["iss": "planted-issuer"]) { $1 }).reveal()
    do {
      _ = try Sample.verifier().verify(text, with: keys, at: Sample.now)
      Issue.record("It is accepted.")
    } catch {
      #expect(error.code == .wrongIssuer && error.source == "RFC 8725 §3.8")
      #expect("\(error)" == "Another issuer has made the token. (RFC 8725 §3.8)")
      #expect(error.localizedDescription == "Another issuer has made the token.")
      #expect(error == JOSEError(.wrongIssuer, "") && error != JOSEError(.expired, ""))
    }
  }
}
