import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@Suite("WWW-Authenticate (RFC 9110 §11)")
struct AuthenticationChallengeTests {
  /// A challenge in one line: `scheme token68 {name=value …}` with the names sorted.
  private static func text(_ challenges: [AuthenticationChallenge]?) -> String {
    guard let challenges else { return "malformed" }
    return challenges.map { challenge in
      let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return ([challenge.scheme] + [challenge.token68].compactMap { $0 } + parameters).joined(separator: " ")
    }.joined(separator: " | ")
  }

  @Test(
    "Challenges",
    arguments: [
      ("Basic", "basic"), (#"Basic realm="Pega""#, "basic realm=Pega"), ("BASIC REALM=foo", "basic realm=foo"),
      (#"Basic realm="a \"b\" \\ c, d=e""#, #"basic realm=a "b" \ c, d=e"#), (#"Basic realm="""#, "basic realm="),
      (
        #"Basic realm="a", Bearer error="invalid_token", Negotiate"#,
        "basic realm=a | bearer error=invalid_token | negotiate"
      ),
      (#"Bearer realm="a",error="b""#, "bearer error=b realm=a"),
      ("Basic realm\t=  x ,, charset = UTF-8 ,", "basic charset=UTF-8 realm=x"),
      ("Negotiate YII+/w==, NTLM", "negotiate YII+/w== | ntlm"), ("Negotiate abc", "negotiate abc"),
      ("A, B , C", "a | b | c"),
      ("Digest , realm=x", "digest realm=x"), ("Basic realm=", "basic realm="),
    ])
  func wellFormed(field: String, expected: String) {
    #expect(Self.text(AuthenticationChallenge.parse(field)) == expected)
  }

  @Test(
    "Invariant 14: what is malformed is no challenge at all",
    arguments: [
      "", " ", ",", "=", "Basic, realm=x", #"Basic realm="x"#, #"Basic realm="x\"#,
      "Basic realm=x y=z",
      "Basic realm=x, realm=y", "Basic realm=x, REALM=y", #"Basic realm="x"y"#, "Basic realm=a/b", "SSO http://x/",
      "error=x",
      "Basic é=x", "Basic realm=x; y", "Basic realm=\"a\u{0}\"", "Basic abc==d", "Basic a=, b=c", "\"Basic\"",
      "Basic =x",
      "Basic " + String(repeating: "a=b,", count: 10_000), String(repeating: "a", count: 20_000),
    ])
  func malformed(field: String) {
    #expect(AuthenticationChallenge.parse(field) == nil)
  }

  @Test("A response's challenges come from all its fields, malformed ones left out")
  func response() {
    var response = HTTPResponse(status: .unauthorized)
    for value in ["Negotiate", "nonsense=", #"Basic realm="r""#] {
      response.headerFields.append(HTTPField(name: .wwwAuthenticate, value: value))
    }
    #expect(response.authenticationChallenges.map(\.scheme) == ["negotiate", "basic"], "a field at a time")
    #expect(response.authenticationChallenges.last?.realm == "r")
  }

  @Test(
    "What is well-formed is found among what is not",
    arguments: [
      (#"SSO http://localhost:18150/, Basic realm="r""#, "basic realm=r"),
      (#"Basic realm="r", SSO http://x/?a=1,b, Digest realm="d", nonce="n""#, "basic realm=r | digest nonce=n realm=d"),
      (#"Negotiate, Basic realm="a", realm="b", Bearer realm="c""#, "negotiate | bearer realm=c"),
      // It can't be told what the parameter belongs to, nor where an open quote was to end.
      ("Basic, realm=x", ""), (#"Basic realm="x, Digest realm="y", nonce="z""#, ""),
      ("error=a, basic, Invalid request", ""),
      (#"Basic realm="x\", Digest realm=y"#, ""), ("A/B, Basic", ""), ("Basic realm=x", "basic realm=x"), ("", ""),
      (#"Foo a="b, Basic realm=c" d, Basic realm=e"#, "basic realm=e"),
    ])
  func salvage(field: String, expected: String) {
    #expect(Self.text(AuthenticationChallenge.salvage(field)) == expected)
  }

  @Test("A field that is longer than any server's says nothing")
  func huge() {
    for size in [20_000, 1 << 20] {
      for text in ["a=b,", "\"", "\\\"", "Basic a=b, ", "x/", " "] {
        let field = "Basic realm=\"r\", " + String(repeating: text, count: size / text.utf8.count)
        #expect(AuthenticationChallenge.parse(field) == nil)
        #expect(AuthenticationChallenge.salvage(field).isEmpty)
      }
    }
  }

  @Test("The public test strings, and what real servers send")
  func vectors() throws {
    guard let data = SharedVectors.read("www-auth/challenges.json") else { return }
    let cases = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    var right = 0
    for item in cases {
      let field = try #require(item["header"] as? String)
      let expected = (item["challenges"] as? [[Any]])?.map { challenge in
        var parameters = challenge.last as? [String: String] ?? [:]
        let token68 = parameters.removeValue(forKey: "token68")
        return AuthenticationChallenge(
          scheme: challenge.first as? String ?? "", parameters: parameters, token68: token68)
      }
      // What is malformed must not be taken for a challenge of a scheme that we speak either.
      let salvaged = AuthenticationChallenge.salvage(field)
      let isRight = AuthenticationChallenge.parse(field) == expected && salvaged == expected ?? []
      #expect(isRight, "\(item["name"] ?? "")")
      if isRight { right += 1 }
    }
    print("WWW-Authenticate strings: \(right) of \(cases.count)")
    #expect(right == cases.count && cases.count > 30)
  }

  @Test("Invariant 14: any bytes give an answer", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SplitMixGenerator(state: seed)
    let pieces = ["Basic", "realm", "=", "\"", "\\", ",", " ", "\t", "x", "/", "é", "\u{0}", "=="]
    var readable = 0
    for _ in 0..<500 {
      let field = (0..<Int.random(in: 0..<15, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      guard let challenges = AuthenticationChallenge.parse(field) else { continue }
      readable += 1
      #expect(!challenges.isEmpty && challenges.allSatisfy { !$0.scheme.isEmpty })
    }
    #expect(readable > 0)
  }
}
