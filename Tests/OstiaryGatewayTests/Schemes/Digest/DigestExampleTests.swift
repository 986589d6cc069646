import Foundation
import OstiaryCore
import Testing

@testable import OstiaryGateway

@Suite("Digest: the examples of the RFCs")
struct DigestExampleTests {
  private static func challenge(_ field: String) throws -> DigestChallenge {
    try DigestChallenge(try #require(AuthenticationChallenge.parse(field)?.first))
  }

  /// The parameters of an `Authorization` field.
  private static func parameters(_ field: String) throws -> [String: String] {
    try #require(AuthenticationChallenge.parse(field)?.first).parameters
  }

  private static func use(_ challenge: DigestChallenge, cnonce: String, keyNonce: String? = nil) -> NonceUse {
    NonceUse(challenge: challenge, keyNonce: keyNonce ?? challenge.nonce, cnonce: cnonce, count: 1)
  }

  private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
  private static let cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
  private static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"

  private static func mufasa(_ algorithm: String, qop: String = "auth, auth-int") throws -> DigestChallenge {
    try challenge(
      """
      Digest realm="http-auth@example.org", qop="\(qop)", algorithm=\(algorithm), nonce="\(nonce)", opaque="\(opaque)"
      """)
  }

  @Test(
    "RFC 7616 §3.9.1, and the same with every other algorithm as OpenSSL has it",
    arguments: [
      ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
      ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
      ("SHA-512-256", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
      ("MD5-sess", "e783283f46242139c486a698fec7211d"),
      ("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
      ("SHA-512-256-sess", "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"),
    ])
  func section391(algorithm: String, response: String) throws {
    let challenge = try Self.mufasa(algorithm)
    let account = try DigestAccount(username: "Mufasa", password: "Circle of Life", for: challenge)
    let field = account.authorization(
      Self.use(challenge, cnonce: Self.cnonce), method: "GET", target: "/dir/index.html", protection: .authentication,
      body: Data())
    #expect(
      try Self.parameters(field) == [
        "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html", "algorithm": algorithm,
        "nonce": Self.nonce, "nc": "00000001", "cnonce": Self.cnonce, "qop": "auth", "response": response,
        "opaque": Self.opaque,
      ])
  }

  @Test(
    "auth-int covers the body",
    arguments: [
      ("MD5", "b7af3436ce664f690e8b612140354411"),
      ("SHA-256", "5083f8ee06c5040ae8e6dc978e01d729b4e8bd527b76a68d5de3de50f39d17e1"),
      ("SHA-512-256", "33a851dcd96648a5677150f25f61fad23f96af902503e7600efb78ed5664ed49"),
    ])
  func integrity(algorithm: String, response: String) throws {
    let challenge = try Self.mufasa(algorithm)
    let account = try DigestAccount(username: "Mufasa", password: "Circle of Life", for: challenge)
    let field = account.authorization(
      Self.use(challenge, cnonce: Self.cnonce), method: "POST", target: "/dir/index.html", protection: .integrity,
      body: Data("a=b&c=d".utf8))
    #expect(try Self.parameters(field)["response"] == response)
    #expect(try Self.parameters(field)["qop"] == "auth-int")
  }

  /// The RFC's own user hash and response are those of a truncated SHA-512; its erratum 4897 has the right ones.
  @Test("RFC 7616 §3.9.2: SHA-512-256, charset and userhash")
  func section392() throws {
    let challenge = try Self.challenge(
      """
      Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
      nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
      opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
      """)
    // Composed and decomposed letters are the same name.
    for name in ["J\u{E4}s\u{F8}n Doe", "Ja\u{308}s\u{F8}n Doe"] {
      let account = try DigestAccount(username: name, password: "Secret, or not?", for: challenge)
      let field = account.authorization(
        Self.use(challenge, cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"), method: "GET", target: "/doe.json",
        protection: .authentication, body: Data())
      let parameters = try Self.parameters(field)
      #expect(parameters["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
      #expect(parameters["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
      #expect(parameters["userhash"] == "true")
    }
  }

  @Test("Without userhash, a name that is not ASCII is sent as username* (RFC 7616 §3.4.4)")
  func extendedName() throws {
    let field = """
      Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="n", charset=UTF-8
      """
    let challenge = try Self.challenge(field)
    func shown(_ name: String, _ challenge: DigestChallenge) throws -> [String: String] {
      let account = try DigestAccount(username: name, password: "p", for: challenge)
      return try Self.parameters(
        account.authorization(
          Self.use(challenge, cnonce: "c"), method: "GET", target: "/", protection: .authentication, body: Data()))
    }
    let name = "J\u{E4}s\u{F8}n Doe"
    #expect(try shown(name, challenge)["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe")
    #expect(try shown(name, challenge)["username"] == nil)
    #expect(try shown("ann", challenge)["username"] == "ann")
    #expect(try shown("ann", challenge)["username*"] == nil)
    // A server that has not said UTF-8 may not know the other form.
    let old = try Self.challenge(field.replacingOccurrences(of: ", charset=UTF-8", with: ""))
    #expect(try shown(name, old)["username"] == name)
    #expect(try shown("a\"b\\c", old)["username"] == "a\"b\\c")
  }

  @Test("RFC 2617 §3.5")
  func rfc2617() throws {
    let challenge = try Self.challenge(
      """
      Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
      opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """)
    let account = try DigestAccount(username: "Mufasa", password: "Circle Of Life", for: challenge)
    let parameters = try Self.parameters(
      account.authorization(
        Self.use(challenge, cnonce: "0a4f113b"), method: "GET", target: "/dir/index.html", protection: .authentication,
        body: Data()))
    #expect(parameters["response"] == "6629fae49393a05397450978507c4ef1")
    #expect(parameters["algorithm"] == nil, "the server named none")
    #expect(parameters["opaque"] == "5ccc069c403ebaf9f0171e9517f40e41")
  }

  /// The RFC's own response is wrong (its erratum 749); this one is OpenSSL's.
  @Test("RFC 2069 §2.4: no qop, no cnonce, no count")
  func rfc2069() throws {
    let challenge = try Self.challenge(
      """
      Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
      opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """)
    let account = try DigestAccount(username: "Mufasa", password: "CircleOfLife", for: challenge)
    let parameters = try Self.parameters(
      account.authorization(
        Self.use(challenge, cnonce: "x"), method: "GET", target: "/dir/index.html", protection: nil, body: Data()))
    #expect(
      parameters == [
        "username": "Mufasa", "realm": "testrealm@host.com", "uri": "/dir/index.html",
        "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093", "response": "1949323746fe6a43ef61f9606e7febea",
        "opaque": "5ccc069c403ebaf9f0171e9517f40e41",
      ])
  }

  @Test(
    "rspauth: the server's proof has no method",
    arguments: [
      ("MD5", "9b712497bc9f91499fbcca1dfc5f09a5"),
      ("SHA-256", "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0"),
      ("SHA-512-256", "c8f9593a4f49b95ce2c483cc3222ecd360a5c6ec52ca24a530b0aac18478de8c"),
    ])
  func serverProof(algorithm: String, response: String) throws {
    let challenge = try Self.mufasa(algorithm)
    let account = try DigestAccount(username: "Mufasa", password: "Circle of Life", for: challenge)
    let proof = Self.use(challenge, cnonce: Self.cnonce).response(
      key: Array(account.key.reveal().utf8), method: "", target: "/dir/index.html", protection: .authentication,
      body: Data())
    #expect(String(decoding: proof, as: UTF8.self) == response)
  }

  @Test("The key of a session stays that of its first nonces after a nextnonce (RFC 7616 §3.4.2)")
  func sessionKey() throws {
    let challenge = try Self.mufasa("MD5-sess")
    let account = try DigestAccount(username: "Mufasa", password: "Circle of Life", for: challenge)
    func response(_ use: NonceUse) -> [UInt8] {
      use.response(
        key: Array(account.key.reveal().utf8), method: "GET", target: "/", protection: .authentication, body: Data())
    }
    let book = NonceBook()
    let first = try #require(book.take(challenge, isUsed: true))
    book.take(nextNonce: "next", after: challenge.nonce)
    let second = try #require(book.use())
    #expect(second.challenge.nonce == "next")
    #expect(second.keyNonce == challenge.nonce && second.cnonce == first.cnonce)
    let key = DigestHash.md5([
      Array(account.key.reveal().utf8), Array(challenge.nonce.utf8), Array(first.cnonce.utf8),
    ])
    let message = DigestHash.md5([Array("GET".utf8), Array("/".utf8)])
    #expect(
      response(second)
        == DigestHash.md5([
          key, Array("next".utf8), Array("00000001".utf8), Array(first.cnonce.utf8), Array("auth".utf8), message,
        ]))
  }

  @Test("Names with control characters are refused before anything is sent")
  func controlCharacters() throws {
    let challenge = try Self.mufasa("MD5")
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try DigestAccount(username: "a\nb", password: "p", for: challenge)
    }
  }
}
