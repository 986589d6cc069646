import Foundation
import HTTPTypes
import OstiaryDialect
import Testing

@Suite("Parts of a dialect that stand beside others")
struct DialectBesideTests {
  private func edited(_ place: String, _ text: String) throws -> Data {
    try DialectSamples.edited(DialectSamples.small, place, text)
  }

  private func dialect(_ place: String, _ text: String) throws -> Dialect {
    let dialect = try Dialect(json: edited(place, text))
    #expect(dialect.check() == [])
    #expect(try Dialect(json: dialect.json()) == dialect)
    return dialect
  }

  private func places(_ data: Data) -> [String] { DialectSamples.problems(data).map(\.place) }

  @Test("DIA-01 fixed fields stand beside Basic, a cookie, the server's cookies, a query and a body")
  func headersBeside() throws {
    let beside = #""headers": { "X-Tenant": "acme" }"#
    for way in [
      #""basic": { "username": "{username}", "password": "{token}" }"#,
      #""cookie": { "name": "a", "value": "{token}" }"#, #""cookies": ["a"]"#, #""insecureQuery": { "t": "{token}" }"#,
      #""body": { "t": "{token}" }"#,
    ] {
      let proof = try dialect("/proof", "{ \(way), \(beside) }").proof
      #expect(proof.headers == [DialectField("X-Tenant", "acme")])
      if case .headers = proof.way { Issue.record("\(way) is read as fields") }
    }
    let fields = try dialect("/proof", #"{ "headers": { "Authorization": "Bearer {token}" } }"#).proof
    #expect(fields == .bearer && fields.headers == [])
  }

  @Test("DIA-01 fixed fields are checked as the proof's own are")
  func headersBesideChecked() throws {
    let basic = #""basic": { "username": "{username}", "password": "{token}" }"#
    #expect(
      try places(edited("/proof", "{ \(basic), \"headers\": { \"Cookie\": \"a\" } }")) == ["/proof/headers/Cookie"])
    #expect(
      try places(edited("/proof", "{ \(basic), \"headers\": { \"authorization\": \"a\" } }")) == ["/proof/headers"])
    #expect(
      try places(edited("/proof", "{ \(basic), \"headers\": { \"X\": \"{password}\" } }")) == ["/proof/headers/X"])
    var both = Dialect(name: "a", signIn: [DialectCall(.post, "/a", reads: DialectReads(token: ["/t"]))])
    both.proof = DialectProof(DialectProof.bearer.way, headers: [DialectField("X", "a")])
    #expect(both.check().map(\.place) == ["/proof/headers"])
  }

  @Test("DIA-01 a star alone is all of the server's cookies")
  func allCookies() throws {
    let proof = try dialect("/proof", #"{ "cookies": ["*"] }"#).proof
    #expect(proof.way == .cookies(["*"]))
    #expect(try places(edited("/proof", #"{ "cookies": ["a*b"] }"#)) == ["/proof/cookies/0"])
  }

  @Test("DIA-01 the whole body can be read")
  func wholeBody() throws {
    #expect(try dialect("/signIn/0/reads/token", #"{ "body": true }"#).signIn[0].reads.token == [.body])
    #expect(try places(edited("/signIn/0/reads/token", #"{ "body": false }"#)) == ["/signIn/0/reads/token/body"])
  }

  @Test("DIA-01 of several places of a token, one can be the password that is a token")
  func applicationPasswordInList() throws {
    let dialect = try dialect("/signIn/0/reads/token", #"["/data/token", { "applicationPassword": true }]"#)
    #expect(dialect.signIn[0].reads.token == ["/data/token", DialectRead(.applicationPassword)])
    #expect(dialect.signIn[0].reads.usesApplicationPassword)
    #expect(
      try places(edited("/signIn/0/reads/userID", #"["/id", { "applicationPassword": true }]"#))
        == ["/signIn/0/reads/userID/1/applicationPassword"])
  }

  private static let step = #"""
    { "otp": {
      "before": [{ "method": "POST", "path": "/send", "body": { "json": { "to": "{username}", "for": "{handle}" } },
        "reads": { "values": { "sent": "/id" } } }],
      "method": "POST", "path": "/answer", "body": { "json": { "id": "{sent}", "code": "{code}" } },
      "reads": { "token": "/token" } } }
    """#

  @Test("DIA-01 a second step has calls before its question, whose values it uses")
  func before() throws {
    let step = try #require(dialect("/continue", Self.step).continuations.first)
    #expect(step.kind == "otp" && step.call.path == "/answer")
    #expect(step.before.map(\.path) == ["/send"])
    #expect(step.before.first?.reads.values == [DialectNamedRead("sent", "/id")])
  }

  @Test("DIA-01 a call before the question has neither password nor code, and no value that comes later")
  func beforeChecked() throws {
    for name in ["password", "code", "sent"] {
      let text = Self.step.replacing("{username}", with: "{\(name)}")
      #expect(try places(edited("/continue", text)) == ["/continue/otp/before/0/body/json/to"], "\(name)")
    }
    let text = Self.step.replacing("\"/send\"", with: "\"//send\"")
    #expect(try places(edited("/continue", text)) == ["/continue/otp/before/0/path"])
  }

  @Test("DIA-01 a later call of the sign-in carries what an earlier one has read; the first one can't")
  func proofWithinSignIn() throws {
    let calls = #"""
      [{ "method": "POST", "path": "/login", "reads": { "token": "/token" } },
       { "method": "GET", "path": "/me", "proof": true, "reads": { "userID": "/id" } }]
      """#
    #expect(try dialect("/signIn", calls).signIn.last?.carriesProof == true)
    #expect(try places(edited("/signIn/0/proof", "true")) == ["/signIn/0/proof"])
  }
}
