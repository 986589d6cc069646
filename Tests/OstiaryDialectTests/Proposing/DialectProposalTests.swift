import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryDialect

@Suite("The draft of a dialect", .timeLimit(.minutes(5)))
struct DialectProposalTests {
  private func proposal(
    _ line: String, _ answer: String, _ fields: [(name: String, value: Secret)] = []
  ) throws -> DialectProposal {
    let answer = CapturedAnswer(status: 200, fields: fields, body: Data(answer.utf8))
    return DialectProposal(try CurlLine.call(line), answer: answer, name: "draft", title: "Draft")
  }

  private func dialect(_ proposal: DialectProposal) throws -> Dialect {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try Dialect(json: try encoder.encode(proposal.document()))
  }

  @Test("DIALECT-N14: from one call a dialect is drafted that can be used")
  func draft() throws {
    let drafted = try dialect(
      proposal(
        #"curl https://a.example/api/token/ --json '{"username":"ann","password":"pw"}'"#,
        #"{"access":"\#(AnswerFinderTests.jwt)","refresh":"a9b8c7d6e5f4a3b2"}"#))
    let call = try #require(drafted.signIn.first)
    #expect(call.path.text == "/api/token/" && call.method == .post)
    #expect(call.body == .json(.object([.init("password", "{password}"), .init("username", "{username}")])))
    #expect(call.reads.token == ["/access"] && call.reads.renewalToken == ["/refresh"])
    #expect(call.reads.expiry == [.claim(of: "token")])
    #expect(drafted.proof == .bearer && drafted.renewal.by == .credential && drafted.settings.isEmpty)
    // What is about a call that renews is not said where there is none.
    let text = String(decoding: drafted.json(), as: UTF8.self)
    #expect(text.contains("credential") && !text.contains("rotation") && !text.contains("afterLostAnswer"))
    #expect(try Dialect(json: drafted.json()) == drafted)
  }

  @Test("DIALECT-N15: what else the call sends becomes a setting, and is written only where the person says so")
  func settings() throws {
    var draft = try proposal(
      #"""
      curl 'https://a.example/t/12345678/login?tenant=planted-1' -H 'X-Api-Key: planted-2' -H 'Accept: application/json' \
        -d grant_type=password -d client_id=planted-3 -d email=ann@a.example -d password=pw
      """#, #"{"token":"a1b2c3d4e5f6a7b8"}"#)
    let first = try dialect(draft)
    #expect(first.settings.map(\.name).sorted() == ["clientId", "path2", "tenant", "xApiKey"])
    #expect(first.settings.allSatisfy { $0.isSecret && $0.defaultValue == nil })
    let call = try #require(first.signIn.first)
    #expect(call.path.text == "/t/{path2}/login")
    #expect(call.query == [DialectField("tenant", "{tenant}")])
    #expect(call.headers.contains(DialectField("Accept", "application/json")))
    guard case .form(let form) = call.body else {
      Issue.record("no form")
      return
    }
    #expect(form.contains(DialectField("grant_type", "password")))
    #expect(form.contains(DialectField("client_id", "{clientId}")))
    draft.kept = ["client_id"]
    let second = String(decoding: try dialect(draft).json(), as: UTF8.self)
    #expect(second.contains("planted-3") && !second.contains("planted-1") && !second.contains("planted-2"))
  }

  @Test("DIALECT-N16: numbers stay numbers, and braces of a value that is kept stay braces")
  func kinds() throws {
    var draft = try proposal(
      #"curl https://a.example/in --json '{"user":"ann","password":"pw","app":{"id":42,"on":true,"s":"{x}","n":null}}'"#,
      #"{"token":"a1b2c3d4e5f6a7b8"}"#)
    let text = String(decoding: try JSONEncoder().encode(draft.document()), as: UTF8.self)
    #expect(text.contains("{appId:number}") && !text.contains("42"))
    draft.kept = ["app.id", "app.s"]
    let kept = try dialect(draft)
    guard case .json(let body)? = kept.signIn.first?.body else {
      Issue.record("no body")
      return
    }
    let app: DialectJSON = .object([
      .init("id", 42), .init("n", .null), .init("on", true), .init("s", .text("{{x}}")),
    ])
    #expect(body == .object([.init("app", app), .init("password", "{password}"), .init("user", "{username}")]))
  }

  @Test("DIALECT-N17: Basic, a token in a field, and cookies make the dialects that they need")
  func forms() throws {
    let basic = try dialect(
      proposal("curl -X POST -u ann:pw https://a.example/session", "", [("X-Auth-Token", "a1b2c3d4e5f6a7b8")]))
    #expect(basic.signIn.first?.basic == DialectBasic() && basic.signIn.first?.reads.token == [.header("X-Auth-Token")])
    let cookies = try proposal(
      "curl https://a.example/login -d user=ann -d pass=pw", "", [("Set-Cookie", "sid=a1b2c3d4e5f6a7b8; Path=/")])
    #expect(cookies.proof == .cookies(["sid"]))
    #expect(try dialect(cookies).proof.way == .cookies(["sid"]))
  }

  @Test("DIALECT-N18: a renewal, a call that tells the user, and one that ends are drafted from their paths")
  func later() throws {
    var draft = try proposal(
      #"curl https://a.example/in --json '{"login":"ann","password":"pw"}'"#,
      #"{"token":"a1b2c3d4e5f6a7b8","refresh_token":"b1b2c3d4e5f6a7b8","expires_in":60}"#)
    draft.renewPath = "/refresh"
    draft.whoPath = "/me"
    draft.endPath = "/out"
    let who = OstiaryDialect.CapturedCall(method: "GET", url: try #require(URL(string: "https://a.example/me")))
    draft.readWho(CapturedAnswer(status: 200, body: Data(#"{"id":"7","email":"ann"}"#.utf8)), of: who)
    let drafted = try dialect(draft)
    #expect(drafted.renew?.body == .json(.object([.init("refresh_token", "{renewalToken}")])))
    #expect(drafted.renew?.reads.token == ["/token"] && drafted.renewal.by == .renewalToken)
    #expect(drafted.who?.reads.userID == ["/id"] && drafted.who?.reads.userName == ["/email"])
    #expect(drafted.end?.path.text == "/out")
    #expect(drafted.signIn.first?.reads.expiry == [.duration(["/expires_in"], .seconds)])
  }

  @Test("DIALECT-N19: no value of a call or of its answer is in the document, wherever it stands")
  func planted() throws {
    var random = SplitMix64(seed: 19)
    for round in 0..<300 {
      var count = 0
      func plant() -> String {
        count += 1
        return "planted\(round)x\(count)x\(UInt32.random(in: .min ... .max, using: &random))"
      }
      func member(_ depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 3 ? 3 : 6), using: &random) {
        case 0: .string(plant())
        case 1: .integer(Int64.random(in: 1_000_000...9_999_999, using: &random))
        case 2: .bool(true)
        case 3: .array([member(depth + 1), member(depth + 1)])
        // A table whose names are values.
        case 4: .object([plant(): member(depth + 1)])
        default: .object(["token": member(depth + 1), "id": member(depth + 1), "expires_at": member(depth + 1)])
        }
      }
      let isForm = Bool.random(using: &random)
      let names = ["username", "password", "client", "otp"].map { ($0, plant()) }
      let body =
        isForm
        ? FormEncoding.serialize(names.map { (name: $0, value: $1) })
        : String(
          decoding: try JSONEncoder().encode(Dictionary(names) { $1 }.merging(["n": plant()]) { $1 }), as: UTF8.self)
      let call = OstiaryDialect.CapturedCall(
        method: "POST",
        url: try #require(URL(string: "https://a.example/in/\(plant())/x?k=\(plant())&\(plant())")),
        fields: [
          ("Content-Type", Secret(isForm ? FormEncoding.mediaType : "application/json")), ("X-Key", Secret(plant())),
          ("Authorization", Secret("Bearer \(plant())")), ("Cookie", Secret("a=\(plant())")),
          ("Referer", Secret("https://b.example/\(plant())")),
        ], body: Data(body.utf8))
      let answer = CapturedAnswer(
        status: 200, fields: [("Set-Cookie", Secret("\(plant())=\(plant())")), ("X-Token", Secret(plant()))],
        body: try JSONEncoder().encode(member(0)))
      var proposal = DialectProposal(call, answer: answer, name: "draft", title: "Draft")
      proposal.follow([call], answer: answer)
      let text = String(decoding: try JSONEncoder().encode(proposal.document()), as: UTF8.self)
      #expect(!text.contains("planted"), "round \(round): \(text)")
      #expect(text.firstMatch(of: #/[1-9]\d{6}/#) == nil, "round \(round): \(text)")
    }
  }

  @Test("DIALECT-N24: a value in the path is none of the document's, however many others there are")
  func paths() throws {
    let many = (0..<80).map { "-H 'X-H\($0): planted-\($0)'" }.joined(separator: " ")
    let line = #"""
      curl 'https://a.example/users/ann/login/planted%2Dtoken%2D1/bobby' \#(many) \
        --json '{"username":"ann","password":"bobby","table":{"planted-name-0123456789ab":1,"x@a.example":true}}'
      """#
    let draft = try proposal(line, #"{"token":"a1b2c3d4e5f6a7b8"}"#)
    #expect(draft.call.inputs.count <= OstiaryDialect.CapturedCall.maximumInputs)
    let document = draft.document()
    #expect(document["signIn"]?.array?.first?["path"] == "/users/{username}/login/{path4}/{path5}")
    #expect(document["settings"]?["path4"] != nil && document["settings"]?["username"] == nil)
    // What a proxy is shown is none of the API's.
    let proxied = try proposal(
      "curl https://a.example/in -H 'Proxy-Authorization: Basic eDp5' -d user=ann -d password=pw",
      #"{"token":"a1b2c3d4e5f6a7b8"}"#)
    #expect(try dialect(proxied).signIn.first?.headers.isEmpty == true)
    let text = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
    for value in ["planted", "ann", "bobby", "x@a"] { #expect(!text.contains(value), "\(value)") }
  }

  @Test("DIALECT-N25: a later call that has the user in its path is none that the document can name")
  func laterPaths() throws {
    var draft = try proposal(
      #"curl https://a.example/in --json '{"username":"ann","password":"pw1"}'"#,
      #"{"token":"a1b2c3d4e5f6a7b8","user":{"id":"42"}}"#)
    func call(_ method: String, _ path: String) throws -> OstiaryDialect.CapturedCall {
      OstiaryDialect.CapturedCall(
        method: method, url: try #require(URL(string: "https://a.example\(path)")),
        answer: CapturedAnswer(status: 200, body: Data(#"{"id":"42"}"#.utf8)))
    }
    let answer = CapturedAnswer(status: 200, body: Data(#"{"token":"a1b2c3d4e5f6a7b8","user":{"id":"42"}}"#.utf8))
    draft.follow(
      [try call("GET", "/users/ann/me"), try call("GET", "/42/me"), try call("POST", "/ann/logout")], answer: answer)
    #expect(draft.whoPath == nil && draft.endPath == nil)
    draft.follow([try call("GET", "/v2/me"), try call("POST", "/logout")], answer: answer)
    #expect(draft.whoPath == "/v2/me" && draft.endPath == "/logout")
  }

  @Test("DIALECT-N26: no name of a later call or of its answer brings a value into the document")
  func laterNames() throws {
    let (token, renewal) = ("a1b2c3d4e5f6a7b8c9d0e1f2", "b1b2c3d4e5f6a7b8c9d0e1f2")
    let answer = #"{"token":"\#(token)","refresh":"\#(renewal)","user":{"id":"42"}}"#
    var draft = try proposal(#"curl https://a.example/in --json '{"username":"ann","password":"pw1"}'"#, answer)
    func call(_ method: String, _ path: String, _ field: String, body: String? = nil, answer: String) throws
      -> OstiaryDialect.CapturedCall
    {
      OstiaryDialect.CapturedCall(
        method: method, url: try #require(URL(string: "https://a.example\(path)")),
        fields: [(name: field, value: Secret("Bearer \(token)"))], body: body.map { Data($0.utf8) },
        answer: CapturedAnswer(status: 200, body: Data(answer.utf8)))
    }
    draft.follow(
      [
        try call("GET", "/me", "aut\(renewal)h", answer: #"{"\#(token)":{"id":"42"}}"#),
        try call("POST", "/refresh", "x", body: #"{"\#(renewal)":"\#(renewal)"}"#, answer: "{}"),
      ], answer: CapturedAnswer(status: 200, body: Data(answer.utf8)))
    #expect(draft.whoPath == "/me" && draft.whoUserID == nil && draft.renewPath == nil)
    #expect(draft.proof == .header(name: "x", prefix: "Bearer "))
    let text = String(decoding: try JSONEncoder().encode(draft.document()), as: UTF8.self)
    #expect(!text.contains(token) && !text.contains(renewal), "\(text)")
  }
}
