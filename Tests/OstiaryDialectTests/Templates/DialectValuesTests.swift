import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import Testing

@Suite("Dialect: templates that are filled")
struct DialectValuesTests {
  private let values = DialectValues([
    "username": "ann", "password": "p\"w", "token": "a/b c", "tenant": "main", "lifetime": "60", "big": "1e3",
    "flag": "true", "empty": "", "dot": ".", "line": "a\r\nX-B: c",
  ])

  private func text(_ template: DialectTemplate, _ place: TemplatePlace) throws -> String? {
    try values.fill(template, in: place)?.reveal()
  }

  @Test("DIA-03 a value is escaped by where it stands")
  func escaping() throws {
    #expect(try text("/a/{token}/b", .path) == "/a/a%2Fb%20c/b")
    #expect(try text("/a/{tenant}-{username};v=1", .path) == "/a/main-ann;v=1")
    #expect(try text("x {token}", .query) == "x%20a%2Fb%20c")
    #expect(try text("Bearer {token}", .header) == "Bearer a/b c")
    #expect(try text("{{{tenant}}}", .json) == "{main}")
    #expect(try text("{tenant}", .cookie) == "main")
    #expect(try text("{code?}", .json) == nil && text("a {code?} b", .form) == nil)
    #expect(
      try String(decoding: values.json(["a": "{password}", "b": ["{code?}", "{tenant}"]]), as: UTF8.self)
        == #"{"a":"p\"w","b":["main"]}"#)
    #expect(
      String(
        decoding: try values.json(["n": "{lifetime:number}", "x": "{big:number}", "f": "{flag:boolean}"]), as: UTF8.self
      )
        == #"{"n":60,"x":1000,"f":true}"#)
    #expect(
      try values.query([DialectField("a b", "{token}"), DialectField("c", "{other?}")])?.reveal() == "a%20b=a%2Fb%20c")
    #expect(try values.query([DialectField("c", "{other?}")]) == nil)
    #expect(try String(decoding: values.form([DialectField("a", "{token}&")]), as: UTF8.self) == "a=a%2Fb+c%26")
    #expect(
      try values.authorization(DialectBasic())?.reveal() == "Basic " + Data("ann:p\"w".utf8).base64EncodedString())
  }

  @Test(
    "DIA-10 no value leads a path elsewhere",
    arguments: [
      "/a/{dot}", "/a/{dot}{dot}/b", "/a/.{dot}", "/a/%2e{dot}", "/a/{dot};x", "/{empty}", "/a/{empty}/b", "{tenant}/a",
      "/{empty}/a",
      "//a/{tenant}", "/a/{tenant}?x", "/a/{tenant}#x", "/a/ {tenant}", "/a/{code?}", "/a/{tenant:number}", "a", "",
      "/{",
    ])
  func paths(template: String) throws {
    let call = DialectCall(.get, DialectTemplate(template))
    #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill(call) }
  }

  @Test("DIA-10 a value that some server could split is refused in a path")
  func splitting() throws {
    for value in ["../x", "a/../b", "..\\x", "a\\..", "/..", "..;a=b", "./"] {
      let values = DialectValues(["v": Secret(value)])
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill("/a/{v}", in: .path) }
    }
    for value in ["a/b", "...", "a..b", "%2e%2e", "é", "a?b#c", " "] {
      let values = DialectValues(["v": Secret(value)])
      let path = try #require(try values.fill("/a/{v}", in: .path)?.reveal())
      #expect(path == "/a/" + PercentEncoding.encode(value))
    }
  }

  @Test("DIA-03 what a field or a cookie can't carry is refused")
  func fields() throws {
    let places: [(DialectTemplate, TemplatePlace)] = [
      ("{line}", .header), ("Bearer {empty}", .header), ("{empty}", .header), ("{line}", .cookie), ("{empty}", .cookie),
      ("{token}", .cookie),
    ]
    for (template, place) in places {
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill(template, in: place) }
    }
    for value in ["a\u{0}b", "a\nb", "a\u{7F}", "a\tb", "é", "a\u{2028}b", " a", "a "] {
      let values = DialectValues(["v": Secret(value)])
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.headers([DialectField("X-A", "{v}")]) }
    }
    for value in ["a;b", "a,b", "a\"", "a\\b", "a b", "a\r"] {
      let values = DialectValues(["v": Secret(value)])
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill("{v}", in: .cookie) }
    }
    #expect(throws: OstiaryError(.invalidInput, "")) { try values.headers([DialectField("A B", "a")]) }
  }

  @Test("DIA-03 a number and a flag are what they say, and stand only in JSON")
  func typed() throws {
    for value in ["1,\"a\":2", "", "a", "true", "[1]", "1 2", "\"1\"", "NaN", "1e999", "9223372036854775808"] {
      let values = DialectValues(["v": Secret(value)])
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.json(["n": "{v:number}"]) }
    }
    for value in ["TRUE", "1", "true,", "null", "\"true\""] {
      let values = DialectValues(["v": Secret(value)])
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.json(["n": "{v:boolean}"]) }
    }
    for place: TemplatePlace in [.query, .header, .form, .basic, .cookie, .text] {
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill("{lifetime:number}", in: place) }
    }
    #expect(throws: OstiaryError(.invalidInput, "")) { try values.json(["n": "a {lifetime:number}"]) }
  }

  @Test("DIA-04 a password and a code are put into a body or Basic only, whatever the dialect says")
  func passwords() throws {
    let values = DialectValues(["password": "secret", "code": "123456"])
    for name in ["password", "code"] {
      for place: TemplatePlace in [.query, .header, .cookie, .text] {
        #expect(throws: OstiaryError(.invalidInput, "")) {
          try values.fill(DialectTemplate("{\(name)}"), in: place)
        }
      }
      #expect(throws: OstiaryError(.invalidInput, "")) { try values.fill(DialectTemplate("/{\(name)}"), in: .path) }
      for place: TemplatePlace in [.json, .form, .basic] {
        #expect(try values.fill(DialectTemplate("{\(name)}"), in: place) != nil)
      }
    }
  }

  @Test("DIA-03 what is absent is named, and the error may be shown")
  func absent() throws {
    do {
      _ = try values.fill(DialectCall(.get, "/a", headers: [DialectField("X-A", "{apiKey}")]))
      Issue.record("a value was absent")
    } catch {
      #expect(error.code == .invalidInput && !error.requestMayHaveExecuted)
      #expect(error.message == "There is no value apiKey for a field of the request.")
    }
    #expect("\(values)".contains("username") && !"\(values)".contains("ann"))
    var dumped = ""
    dump(values, to: &dumped)
    #expect(!dumped.contains("p\"w"))
  }

  @Test("DIA-03 a call is filled as a whole")
  func call() throws {
    let json = DialectCall(
      .post, "/t/{tenant}", query: [DialectField("a", "{token}")], headers: [DialectField("X-A", "{tenant}")],
      body: .json(["u": "{username}"]), basic: DialectBasic())
    let filled = try values.fill(json)
    #expect(filled.method == .post && filled.target == "/t/main?a=a%2Fb%20c")
    #expect(
      filled.fields[.contentType] == "application/json" && filled.fields[.authorization]?.hasPrefix("Basic ") == true)
    #expect(filled.fields[try #require(HTTPField.Name("X-A"))] == "main")
    #expect(filled.body == Data(#"{"u":"ann"}"#.utf8))
    #expect("\(filled)" == "POST")
    let form = try values.fill(
      DialectCall(
        .post, "/", headers: [DialectField("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
        body: .form([DialectField("u", "{username}")])))
    #expect(form.fields[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
    #expect(form.body == Data("u=ann".utf8) && form.target == "/")
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try DialectValues(["username": "a:b", "password": "c"]).fill(DialectCall(.post, "/", basic: DialectBasic()))
    }
  }
}
