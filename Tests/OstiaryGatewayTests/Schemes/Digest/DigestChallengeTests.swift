import Foundation
import OstiaryCore
import Testing

@testable import OstiaryGateway

@Suite("Digest challenges")
struct DigestChallengeTests {
  private static func read(_ field: String) throws -> DigestChallenge {
    try DigestChallenge(try #require(AuthenticationChallenge.parse(field)?.first))
  }

  @Test("What a challenge says")
  func everything() throws {
    let challenge = try Self.read(
      """
      Digest realm="r", nonce="n", algorithm=sha-256-SESS, qop="AUTH , auth-int,token", opaque="o", stale="TRUE", \
      userhash=true, charset=utf-8, domain="/a/ https://example.org/b"
      """)
    #expect(challenge.algorithm == DigestAlgorithm(.sha256, isSession: true))
    #expect(challenge.protections == [.authentication, .integrity])
    #expect(challenge.isStale && challenge.hidesUsername && challenge.isUTF8)
    #expect(challenge.opaque == "o" && challenge.domain == ["/a/", "https://example.org/b"])
  }

  @Test("What a bare challenge means: MD5, no qop, everything")
  func bare() throws {
    let challenge = try Self.read(#"Digest realm="r", nonce="n""#)
    #expect(challenge.algorithm == DigestAlgorithm(.md5) && !challenge.namesAlgorithm)
    #expect(challenge.protections.isEmpty && challenge.opaque == nil)
    #expect(!challenge.isStale && !challenge.hidesUsername && !challenge.isUTF8)
  }

  @Test(
    "What can't be answered is not",
    arguments: [
      #"Digest nonce="n""#, #"Digest realm="r""#, #"Digest realm="r", nonce="""#,
      #"Digest realm="r", nonce="n", qop="x""#,
      #"Digest realm="r", nonce="n", algorithm=SHA-1"#, #"Digest realm="r", nonce="n", algorithm=token, qop="auth""#,
      #"Digest realm="r", nonce="n", algorithm=MD5-sess"#, #"Digest realm="r", nonce="n", algorithm=-sess, qop=auth"#,
    ])
  func unusable(field: String) throws {
    #expect(throws: UnusableChallenge.self) { try Self.read(field) }
  }

  @Test(
    "The protection space stays at the origin (RFC 7616 §3.3)",
    arguments: [
      ("", ["/"]), ("/a /b/c", ["/a", "/b/c"]), ("https://s.example/x", ["/x"]), ("https://s.example:443", ["/"]),
      ("https://other.example/x /y", ["/y"]), ("http://s.example/x", []), ("//other.example/x", []),
      ("https://s.example@other.example/", []), ("relative", []),
    ])
  func domain(value: String, prefixes: [String]) throws {
    let origin = try #require(Origin(scheme: "https", host: "s.example", port: nil))
    let challenge = try Self.read(#"Digest realm="r", nonce="n", domain="\#(value)""#)
    #expect(challenge.prefixes(at: origin) == prefixes)
  }
}
