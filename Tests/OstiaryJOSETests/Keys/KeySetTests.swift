import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Key sets", .timeLimit(.minutes(20)))
struct KeySetTests {
  private func document(_ keys: [[String: JSONValue]], _ more: [String: JSONValue] = [:]) -> Data {
    let members = more.merging(["keys": .array(keys.map(JSONValue.object))]) { $1 }
    return Data(CompactJSON.object(members) ?? [])
  }

  private func members(_ key: SigningKey, _ changes: [String: JSONValue?] = [:]) throws -> [String: JSONValue] {
    var members = try #require(key.publicKey).members
    for (name, value) in changes { members[name] = value }
    return members
  }

  private func refused(_ text: Secret, _ keys: KeySet, _ algorithms: Set<SignatureAlgorithm> = [.es256]) -> JOSEError
    .Code?
  {
    refusal { () throws(JOSEError) in
      try Sample.verifier(algorithms).verify(text.reveal(), with: keys, at: Sample.now)
    }
  }

  @Test("JOSE-13: a key is found by its name, and by nothing else where there are names")
  func names() throws {
    let one = try SigningKey.make(.es256, id: "one")
    let two = try SigningKey.make(.es256, id: "two")
    let keys = try KeySet(json: document([members(one), members(two)], ["x": 1]))
    #expect(try refused(one.sign(Sample.claims), keys) == nil && refused(two.sign(Sample.claims), keys) == nil)
    let stranger = try SigningKey(pem: #require(one.pem), algorithm: .es256, id: "three")
    #expect(try refused(stranger.sign(Sample.claims), keys) == .unknownKey)
    let liar = try SigningKey(pem: #require(one.pem), algorithm: .es256, id: "two")
    #expect(try refused(liar.sign(Sample.claims), keys) == .wrongSignature)
    // A token that names none: all are tried.
    let silent = try SigningKey(pem: #require(two.pem), algorithm: .es256)
    #expect(try refused(silent.sign(Sample.claims), keys) == nil)
    let other = try SigningKey(pem: #require(two.pem), algorithm: .es256, id: "TWO")
    #expect(try refused(other.sign(Sample.claims), keys) == .unknownKey)
  }

  @Test("JOSE-13: one name for keys of two kinds: the algorithm decides")
  func oneName() throws {
    let point = try SigningKey.make(.es256, id: "1")
    let edwards = try SigningKey.make(.edDSA, id: "1")
    let keys = try KeySet(json: document([members(point), members(edwards)]))
    let both: Set<SignatureAlgorithm> = [.es256, .edDSA]
    #expect(try refused(point.sign(Sample.claims), keys, both) == nil)
    #expect(try refused(edwards.sign(Sample.claims), keys, both) == nil)
    let only = try KeySet(json: document([members(edwards)]))
    #expect(try refused(point.sign(Sample.claims), only, both) == .keyNotAllowed)
  }

  @Test("JOSE-13: a set without names is tried, up to 16 keys")
  func tries() throws {
    let key = try SigningKey.make(.es256)
    let fillers = try (0..<20).map { _ in try members(SigningKey.make(.es256)) }
    let own = try members(key)
    let near = try KeySet(json: document(Array(fillers.prefix(15)) + [own]))
    #expect(try refused(key.sign(Sample.claims), near) == nil)
    let far = try KeySet(json: document(Array(fillers.prefix(16)) + [own]))
    #expect(try refused(key.sign(Sample.claims), far) == .wrongSignature)
    let named = try SigningKey(pem: #require(key.pem), algorithm: .es256, id: "n")
    #expect(try refused(named.sign(Sample.claims), near) == nil)
    #expect(try refused(key.sign(Sample.claims), KeySet([])) == .unknownKey)
  }

  @Test(
    "JOSE-13: keys that are no use, private and damaged ones are left out (oidcc-client-test-ignores-unparseable-key-in-jwks)"
  )
  func leftOut() throws {
    let key = try SigningKey.make(.es256, id: "good")
    let good = try members(key)
    let wrong: [[String: JSONValue?]] = [
      ["use": "enc"], ["use": 1], ["key_ops": .array(["sign"])], ["key_ops": .array([])], ["key_ops": "verify"],
      ["alg": "ES384"], ["alg": "HS256"], ["alg": "none"], ["alg": "ECDH-ES"], ["alg": 1], ["kid": 1], ["kty": "oct"],
      ["kty": "XYZ"], ["kty": nil],
      ["crv": "P-384"], ["crv": "secp256k1"], ["crv": nil], ["x": nil], ["y": nil], ["x": ""], ["x": "AA"],
      ["y": good["x"]],
      ["d": "AAAA"], ["k": "AAAA"], ["x": .string((good["x"]?.string ?? "") + "=")],
    ]
    for changes in wrong {
      let keys = try KeySet(json: document([members(key, changes), good]))
      #expect(keys.keys.count == 1 && keys.unusedCount == 1, "\(changes)")
    }
    for changes in [
      ["use": "sig"], ["key_ops": .array(["verify", "x"])], ["alg": nil], ["x5c": .array(["x"])], ["x5u": "https://x"],
      ["new": 1],
    ]
      as [[String: JSONValue?]]
    {
      #expect(try KeySet(json: document([members(key, changes)])).unusedCount == 0, "\(changes)")
    }
    #expect(try KeySet(json: Data(#"{"keys":[1,"a",null,[],{}]}"#.utf8)).unusedCount == 5)
  }

  @Test(
    "Invariant 14: a document that is no key set, that has a member twice, or that is too large, is refused as a whole")
  func documents() throws {
    for text in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":1}"#, "<html></html>", "{\"keys\":[]"] {
      #expect(refusal { () throws(JOSEError) in try KeySet(json: Data(text.utf8)) } == .malformed)
    }
    for text in [#"{"keys":[],"keys":[]}"#, #"{"keys":[{"kty":"EC","kty":"RSA"}]}"#] {
      #expect(refusal { () throws(JOSEError) in try KeySet(json: Data(text.utf8)) } == .repeatedMember)
    }
    let key = try members(SigningKey.make(.es256))
    #expect(try KeySet(json: document(Array(repeating: key, count: 256))).keys.count == 256)
    let many = document(Array(repeating: key, count: 257))
    #expect(refusal { () throws(JOSEError) in try KeySet(json: many) } == .tooLarge)
    let large = document([], ["x": .string(String(repeating: "a", count: 1 << 20))])
    #expect(refusal { () throws(JOSEError) in try KeySet(json: large) } == .tooLarge)
  }
}
