import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import Testing

@Suite("What is read of an answer")
struct ReadTests {
  func findings(
    _ reads: DialectReads, _ response: TransportResponse, _ values: [String: Secret] = [:], jar: CookieJar = CookieJar()
  ) throws -> DialectFindings {
    try dialectAnswer(response, DialectCall(.get, "/", reads: reads), jar: jar).findings(DialectValues(values))
  }

  func value(_ read: DialectRead, _ response: TransportResponse, jar: CookieJar = CookieJar()) throws -> String? {
    let reads = DialectReads(values: [DialectNamedRead("v", read)])
    return try findings(reads, response, ["known": Secret("k")], jar: jar).values["v"]?.reveal()
  }

  @Test("A place in JSON, a field, and what a value begins with")
  func places() throws {
    let response = apiAnswer(#"{"a":[{"b":"x"}],"n":7}"#, headerFields: [.authorization: "Bearer abc"])
    #expect(try value("/a/0/b", response) == "x")
    #expect(try value("/n", response) == "7")
    #expect(try value(.header("authorization"), response) == "Bearer abc")
    #expect(try value(.header("Authorization", after: "Bearer "), response) == "abc")
    #expect(try value(.header("Authorization", after: "Token "), response) == nil)
    #expect(try value(.header("X-None"), response) == nil)
    #expect(try value("/a", response) == nil)
    #expect(try value("/none", response) == nil)
  }

  @Test("A cookie, percent-decoded where it is written so")
  func cookies() throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/")
    var jar = CookieJar()
    jar.store("XSRF-TOKEN=a%3Db; Path=/elsewhere", from: request, now: noon)
    #expect(try value(.cookie("XSRF-TOKEN"), apiAnswer("{}"), jar: jar) == "a%3Db")
    #expect(try value(.cookie("XSRF-TOKEN", isPercentDecoded: true), apiAnswer("{}"), jar: jar) == "a=b")
    #expect(try value(.cookie("other"), apiAnswer("{}"), jar: jar) == nil)
    jar.store("broken=%zz", from: request, now: noon)
    #expect(try value(.cookie("broken", isPercentDecoded: true), apiAnswer("{}"), jar: jar) == nil)
  }

  @Test("A field of a form and a meta element of a page")
  func pages() throws {
    let page = TransportResponse.html(
      #"<meta name="csrf-token" content="m&amp;1"><form><input name="csrf" value="f1"></form>"#)
    #expect(try value(DialectRead(.formField("csrf")), page) == "f1")
    #expect(try value(DialectRead(.meta("csrf-token")), page) == "m&1")
    #expect(try value(DialectRead(.meta("other")), page) == nil)
    #expect(try value(DialectRead(.formField("other")), page) == nil)
  }

  @Test("A claim of a JWT, and a text of values")
  func values() throws {
    let token = jwt(#"{"sub":"7","n":{"m":1}}"#)
    let reads = DialectReads(
      token: ["/t"], userID: [.claim(of: "token", "/sub")],
      values: [
        DialectNamedRead("c", .claim(of: "token", "/n/m")),
        DialectNamedRead("text", DialectRead(.template("{known}-{c}"))),
        DialectNamedRead("absent", DialectRead(.template("{nothing}"))),
      ])
    let found = try findings(reads, apiAnswer(#"{"t":"\#(token)"}"#), ["known": Secret("k")])
    #expect(found.userID == "7")
    #expect(found.values["c"]?.reveal() == "1")
    #expect(found.values["text"]?.reveal() == "k-1")
    #expect(found.values["absent"] == nil)
  }

  @Test("A token may be made of values of the same answer")
  func composed() throws {
    let reads = DialectReads(
      token: [DialectRead(.template("{id}:{key}"))],
      values: [DialectNamedRead("id", "/id"), DialectNamedRead("key", "/key")])
    #expect(try findings(reads, apiAnswer(#"{"id":1,"key":"k"}"#)).token?.reveal() == "1:k")
  }

  @Test("A list is the places to look at; the first that is there counts, and its place is named")
  func lists() throws {
    let reads = DialectReads(token: ["/a", "/b"])
    let found = try findings(reads, apiAnswer(#"{"a":null,"b":"t"}"#))
    #expect(found.token?.reveal() == "t")
    #expect(found.found.first?.placeInDocument == "/signIn/0/reads/token/1")
    #expect(found.found.first?.placeInAnswer == "“/b” of the JSON")
  }

  @Test("An identifier may be a number, and blanks around a name are none")
  func names() throws {
    let reads = DialectReads(userID: ["/id"], userName: ["/name"])
    let found = try findings(reads, apiAnswer(#"{"id":11.0,"name":" Ann\n"}"#))
    #expect(found.userID == "11")
    #expect(found.userName == "Ann")
    #expect(try findings(reads, apiAnswer(#"{"id":true,"name":"  "}"#)).userID == nil)
    #expect(try findings(reads, apiAnswer(#"{"id":true,"name":"  "}"#)).userName == nil)
  }

  @Test("A token may have blanks and quotation marks in it, as devpi's have, which stands in a password's place")
  func blanks() throws {
    let found = try findings(DialectReads(token: ["/t"]), apiAnswer(#"{"t":"[\"ann\", [], true].awkipg.qwU6"}"#))
    #expect(found.token?.reveal() == #"["ann", [], true].awkipg.qwU6"#)
  }

  @Test(
    "A token that no request can carry is an error that names both places, and never the value",
    arguments: [
      #""planted\r\nX: 1""#, #""""#, #"" planted""#, #""planted ""#, "5", "true", #"["planted"]"#, #"{"planted":1}"#,
      "\"plánted\"",
      "\"\(String(repeating: "p", count: 16 * 1024 + 1))\"",
    ])
  func unusable(_ token: String) throws {
    // An empty renewal token is none.
    let all = [DialectReads(token: ["/t"]), DialectReads(renewalToken: ["/t"])].prefix(token == "\"\"" ? 1 : 2)
    for reads in all {
      let error = #expect(throws: OstiaryError.self) { try findings(reads, apiAnswer(#"{"t":\#(token)}"#)) }
      #expect(error?.code == .unusableToken)
      #expect(error?.disposition == .misuse)
      let place = try #require(error?.underlying as? DialectPlace)
      #expect(place.inDocument.hasPrefix("/signIn/0/reads/"))
      #expect(place.inAnswer == "“/t” of the JSON")
      #expect(!"\(error.map { "\($0)" } ?? "")\(place)".contains("planted"))
    }
  }

  @Test("A token of 16 KiB is one")
  func long() throws {
    let token = String(repeating: "p", count: 16 * 1024)
    #expect(try findings(DialectReads(token: ["/t"]), apiAnswer(#"{"t":"\#(token)"}"#)).token?.reveal() == token)
  }

  @Test("The password is the token where the document says so")
  func applicationPassword() throws {
    let reads = DialectReads(token: [DialectRead(.applicationPassword)])
    #expect(try findings(reads, apiAnswer("{}"), ["password": Secret("a b c")]).token?.reveal() == "a b c")
  }

  @Test("Bytes that are nothing, JSON without an end and 10 MB are read in vain", arguments: 0..<5)
  func hostile(_ index: Int) throws {
    let bodies = [
      "", "{\"t\":", String(repeating: "[", count: 500_000), String(repeating: "{\"t\":", count: 200_000),
      "{\"t\":\"x\",\"f\":\"" + String(repeating: "f", count: 10_000_000) + "\"}",
    ]
    #expect(try findings(DialectReads(token: ["/t"]), apiAnswer(bodies[index])).token == nil)
  }

  @Test("Nothing of what was read is printed")
  func hidden() throws {
    let reads = DialectReads(
      token: ["/t"], attributes: [DialectNamedRead("a", "/t")], values: [DialectNamedRead("v", "/t")])
    let call = DialectCall(.get, "/", reads: reads)
    let answer = dialectAnswer(apiAnswer(#"{"t":"planted"}"#), call)
    let found = try answer.findings(DialectValues())
    var text = "\(answer) \(found) \(found.found)"
    dump(answer, to: &text)
    dump(found, to: &text)
    #expect(!text.contains("planted"))
  }

  @Test("The whole body is one word, and a page or a sentence is none")
  func wholeBody() throws {
    func body(_ text: String) throws -> String? {
      try findings(DialectReads(token: [.body]), apiAnswer(text, "text/html")).token?.reveal()
    }
    #expect(try body(" 1|abc\n") == "1|abc")
    for text in ["", " ", "a\nb", String(repeating: "a", count: 16 * 1024 + 1)] { #expect(try body(text) == nil) }
    for page in ["<html> page", "<p>", "Please sign in to the network"] { #expect(try body(page) == nil) }
    #expect(throws: OstiaryError.self) { try body("é") }
  }
}
