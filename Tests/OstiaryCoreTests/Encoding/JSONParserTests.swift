import Foundation
import Testing

@testable import OstiaryCore

@Suite("JSON parser", .timeLimit(.minutes(20)))
struct JSONParserTests {
  private func parse(_ text: String) -> JSONValue? { JSONValue(json: Data(text.utf8)) }

  @Test(
    "Every kind of value, as a decoder reads it",
    arguments: [
      "null", "true", "false", "0", "-0", "7", "-7", "9223372036854775807", "-9223372036854775808", "1.5", "-2.5e3",
      "1E-2", "7.0", "1e3", "9223372036854775808", "1e300", "\"\"", "\"text\"", "\"é日本🔑\"", "[]", "{}", "[[],{}]",
      "[1,\"a\",null,[true]]", "{\"a\":{\"b\":[1,2]},\"\":0}", " \t\r\n[ 1 , 2 ] \n", "{ \"a\" : 1 , \"b\" : 2 }",
      #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u65E5\ud83d\udd11\u0000""#, "{\"a\":1,\"a\":2}",
    ])
  func values(_ text: String) throws {
    let value = try #require(parse(text))
    #expect(try value == JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
    #expect(try JSONValue(json: JSONEncoder().encode(value)) == value)
  }

  @Test("A mark of the byte order is passed over")
  func byteOrderMark() {
    #expect(parse("\u{FEFF}{\"a\":1}") == .object(["a": 1]))
  }

  @Test(
    "Invariant 14: what is no JSON is none",
    arguments: [
      "", " ", "nul", "nulll", "True", "+1", "01", "-", "-a", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
      "1e999",
      "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
      "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1]", "{\"a\":1 \"b\":2}", "[] []", "{}x", "1 2",
      "\"", "\"a", "\"a\nb\"", "\"\u{1}\"", #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#,
      #""\ud800\u0041""#, #""\ud800x""#, "'a'", "[1]//", "/**/1", "\u{0}",
    ])
  func malformed(_ text: String) {
    #expect(parse(text) == nil)
  }

  @Test("Invariant 14: text that is not UTF-8 is none", arguments: [[0x22, 0xE9, 0x22], [0x22, 0xC3], [0xFF, 0xFE]])
  func notUTF8(_ bytes: [UInt8]) {
    #expect(JSONValue(json: Data(bytes)) == nil)
  }

  @Test("Invariant 14: nesting has a limit, however it is written")
  func depth() {
    for (begin, end) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let depth = JSONValue.maximumDepth / (begin.hasPrefix("[{") ? 2 : 1)
      func nested(_ count: Int) -> String {
        String(repeating: begin, count: count) + "1" + String(repeating: end, count: count)
      }
      #expect(parse(nested(depth)) != nil)
      #expect(parse(nested(depth + 1)) == nil)
      #expect(parse(String(repeating: begin, count: 1_000_000)) == nil)
    }
  }

  @Test("Invariant 14: a flood of values takes no more time than any other text", arguments: ["{}", "[]", "0", "\"\""])
  func flood(_ value: String) {
    let count = (4 << 20) / (value.utf8.count + 1)
    let text = "[" + String(repeating: value + ",", count: count) + value + "]"
    #expect(parse(text)?.array?.count == count + 1)
  }

  @Test("Invariant 14: so does a stored session that is full of them")
  func storedFlood() throws {
    let flood = [JSONValue](repeating: .object([:]), count: (2 << 20) / 3)
    let grant = SessionGrant(user: Session.User(id: "ann"), proof: Proof(), attributes: ["flood": .array(flood)])
    let server = try #require(URL(string: "https://app.example"))
    let session = Session(
      kind: AuthenticatorKind("test"), server: server, version: ProofVersion(), grant: grant, issuedAt: Date())
    #expect(try SessionCodec.decode(SessionCodec.encode(session)) == session)
    // Without the shortcut, too, for code that decodes a session by other means.
    let small = Session(
      kind: session.kind, server: server, version: session.version,
      grant: SessionGrant(user: session.user, proof: Proof(), attributes: ["a": .array([1, "b"])]),
      issuedAt: session.issuedAt)
    #expect(try JSONDecoder().decode(Session.self, from: JSONEncoder().encode(small)) == small)
  }
}
