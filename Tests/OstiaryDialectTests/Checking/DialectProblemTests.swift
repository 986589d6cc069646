import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import Testing

/// A document with one mistake, and what is said of it.
struct DialectMistake: Sendable, CustomTestStringConvertible {
  /// The place that is changed, as a JSON Pointer.
  let edit: String
  /// What it is changed to; `nil` takes it out.
  let text: String?
  /// The place of the problem.
  let place: String
  /// A part of its message.
  let message: String

  /// - Parameter place: the edited one, if none is given.
  init(_ edit: String, _ text: String?, at place: String? = nil, _ message: String) {
    self.edit = edit
    self.text = text
    self.place = place ?? edit
    self.message = message
  }

  var testDescription: String { "\(edit) = \(text?.prefix(40) ?? "nothing")" }
}

@Suite("Dialect: mistakes of documents")
struct DialectProblemTests {
  private static let long = String(repeating: "a", count: 5000)
  private static let call = #"{ "method": "GET", "path": "/a" }"#

  static let shapes: [DialectMistake] = [
    .init("/dialect", "2", "another version"), .init("/dialect", nil, at: "", "dialect is missing"),
    .init("/name", nil, at: "", "name is missing"), .init("/name", "7", "A number can't stand here"),
    .init("/proof", nil, at: "", "proof is missing"), .init("/signIn", nil, at: "", "signIn is missing"),
    .init("/signIn", "[]", "fewer than 1"), .init("/signIn", "{}", "An object can't stand here"),
    .init("/extra", "1", "not known"), .init("/signIn/0/extra", "1", "not known"),
    .init("/title", "\"\(long)\"", "longer than 4 KiB"), .init("/sources", "\"a\"", "A text can't stand here"),
    .init("/servers", "{}", "fewer than 1"), .init("/servers/server/url", "\"https://a\"", "not known"),
    .init("/settings/tenant/secret", "\"yes\"", "A text can't stand here"),
    .init("/signIn/0/method", nil, at: "/signIn/0", "method is missing"),
    .init("/signIn/0/path", nil, at: "/signIn/0", "path is missing"),
    .init("/signIn/0/method", "\"BREW\"", "none of those that are known"),
    .init("/signIn/0/method", "\"post\"", "none of those that are known"),
    .init("/signIn/0/redirects", "\"always\"", "none of those that are known"),
    .init("/signIn/0/body", "{}", "None of its members"), .init("/signIn/0/body", "\"a\"", "A text can't stand here"),
    .init("/signIn/0/body/form", "{}", "not known"), .init("/continue/totp/body/form/otp", "1", "A number"),
    .init("/signIn/0/reads/token", "7", "A number can't stand here"),
    .init("/signIn/0/reads/token", "{}", "None of its members"),
    .init("/signIn/0/reads/token", "[]", "fewer than 1"),
    .init(
      "/signIn/0/reads/token", #"{ "pointer": "/a", "header": "b" }"#, at: "/signIn/0/reads/token/header", "not known"),
    .init("/signIn/0/reads/userID/pointer", nil, at: "/signIn/0/reads/userID", "pointer is missing"),
    .init("/signIn/0/reads/renewalToken/1/as", "\"base64\"", "none of those"),
    .init(
      "/signIn/0/reads/userName", #"{ "applicationPassword": true }"#,
      at: "/signIn/0/reads/userName/applicationPassword", "no other one says what this is"),
    .init(
      "/renew/reads/token", #"{ "applicationPassword": false }"#, at: "/renew/reads/token/applicationPassword",
      "Only true"),
    .init("/signIn/0/reads/expiry/0/unit", "\"minutes\"", "none of those"),
    .init("/signIn/0/reads/expiry/1/as", nil, at: "/signIn/0/reads/expiry/1", "as is missing"),
    .init("/signIn/0/reads/expiry/3/in", "0", "not a whole one from 1"),
    .init("/signIn/0/reads/expiry/3/in", "1.5", "not a whole one from 1"),
    .init("/signIn/0/success", "{}", "None of its members"),
    .init("/signIn/0/success/all/0/status", "[401, 403]", "A list can't stand here"),
    .init("/signIn/0/success/all/0/status", "99", "not a whole one from 100"),
    .init("/signIn/0/success/all", "[]", "fewer than 1"),
    .init("/signIn/0/success/all/1/exists", "true", at: "/signIn/0/success/all/1", "Exactly one of"),
    .init("/signIn/0/success/all/1/is", nil, at: "/signIn/0/success/all/1", "Exactly one of"),
    .init("/signIn/0/success/all/1/is", "[]", "A list can't stand here"),
    .init("/signIn/0/meanings/0/means", "\"wrong\"", "none of those"),
    .init("/signIn/0/meanings/0/means", nil, at: "/signIn/0/meanings/0", "means is missing"),
    .init("/signIn/0/meanings/0/when", nil, at: "/signIn/0/meanings/0", "when is missing"),
    .init("/signIn/0/meanings/0/until", #"{ "in": 5 }"#, "not known"),
    .init("/proof", "{}", "None of its members"), .init("/proof", #"{ "below": "/a" }"#, "None of its members"),
    .init(
      "/proof", #"{ "header": { "Authorization": "Bearer {token}" }, "below": "/api" }"#, at: "/proof/header",
      "not known here"),
    .init(
      "/proof", #"{ "basic": { "username": "{username}", "password": "{token}" }, "cookies": ["a"] }"#,
      at: "/proof/cookies", "not known"),
    .init("/renewal/by", "\"magic\"", "none of those"), .init("/renewal/by", nil, at: "/renewal", "by is missing"),
    .init("/renewal/grace", "-1", "not a whole one from 0"), .init("/verify", "null", "Null can't stand here"),
    .init("/continue/", call, at: "/continue", "empty or longer than 256"),
    .init("/prepare", "[\(Array(repeating: call, count: 17).joined(separator: ","))]", "more than 16"),
  ]

  static let contents: [DialectMistake] = [
    .init("/name", "\"Acme\"", "letters in lower case"), .init("/name", "\"\"", "letters in lower case"),
    .init("/sources/0", "\"javascript:alert(1)\"", "no address"),
    .init("/servers/a-b", "{}", "letters, digits and underscores"),
    .init("/servers/server/documented", "\"api.acme.example\"", "documented address"),
    .init("/settings/password", "{}", "every dialect has"), .init("/settings/token", "{}", "every dialect has"),
    .init("/settings/a b", "{}", "letters, digits and underscores"),
    .init("/settings/apiKey/default", "\"k\"", "secret can't have a default"),
    // Calls.
    .init("/signIn/0/server", "\"other\"", "no server's role"),
    .init("/who/body", #"{ "json": {} }"#, "A GET has no body"),
    .init("/signIn/0/path", "\"login\"", "begin with /"), .init("/signIn/0/path", "\"\"", "begin with /"),
    .init("/signIn/0/path", "\"{tenant}/login\"", "begin with /"),
    .init("/signIn/0/path", "\"//evil.example/login\"", "two slashes"),
    .init("/signIn/0/path", "\"https://evil.example/login\"", "begin with /"),
    .init("/signIn/0/path", "\"/a/../login\"", "made of dots"),
    .init("/signIn/0/path", "\"/a/%2e%2E/login\"", "made of dots"),
    .init("/signIn/0/path", "\"/a/..;x=1/login\"", "made of dots"),
    .init("/signIn/0/path", "\"/a/x%2f..\"", "made of dots"), .init("/signIn/0/path", "\"/a/%zz\"", "made of dots"),
    .init("/signIn/0/path", "\"/login?a=b\"", "can't stand there"),
    .init("/signIn/0/path", "\"/login#a\"", "can't stand there"),
    .init("/signIn/0/path", "\"/lo gin\"", "can't stand there"),
    .init("/signIn/0/path", "\"/lögin\"", "can't stand there"),
    .init("/signIn/0/path", "\"/a\\\\b\"", "can't stand there"),
    .init("/signIn/0/path", "\"/{tenant?}\"", "can't be absent"),
    .init("/signIn/0/path", "\"/{tenant:number}\"", "whole text"),
    .init("/signIn/0/path", "\"/{\"", "begins no value"), .init("/signIn/0/path", "\"/}\"", "closes nothing"),
    .init("/signIn/0/headers/Host", "\"evil.example\"", "may set"),
    .init("/signIn/0/headers/Cookie", "\"a=b\"", "may set"),
    .init("/signIn/0/headers/transfer-ENCODING", "\"chunked\"", "may set"),
    .init("/signIn/0/headers/x-api-key", "\"a\"", "another spelling"),
    .init("/signIn/0/headers/A b", "\"a\"", "none that a field can have"),
    .init("/signIn/0/headers/X-A", "\"a\\r\\nX-B: c\"", "can't be sent there"),
    .init("/signIn/0/headers/X-A", "\"{csrf}\\r\\nX-B: c\"", "can't be sent there"),
    .init("/signIn/0/headers/X-A", "\"ä\"", "can't be sent there"),
    .init("/signIn/0/headers/X-A", "\" a\"", "none that a field carries"),
    .init("/signIn/0/headers/X-A", "\"\"", "none that a field carries"),
    .init(
      "/signIn/0/body/json", String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
      at: "/signIn/0/body/json" + String(repeating: "/0", count: 16), "more than 16 deep"),
    .init("/signIn/0/body/json/lifetime", "\"in {lifetime:number}\"", "whole text"),
    .init("/signIn/0/proof", "true", "no session yet"), .init("/prepare/0/proof", "true", "no session yet"),
    // Passwords.
    .init("/signIn/0/path", "\"/login/{password}\"", "where it would be logged"),
    .init("/signIn/0/query/p", "\"{password}\"", "where it would be logged"),
    .init("/signIn/0/headers/X-P", "\"{password}\"", "where it would be logged"),
    .init("/continue/totp/path", "\"/2fa/{code}\"", "where it would be logged"),
    .init(
      "/signIn/0/reads/values/mine", #"{ "text": "{password}" }"#, at: "/signIn/0/reads/values/mine/text",
      "where it would be logged"),
    .init("/prepare/0/query", #"{ "p": "{password}" }"#, at: "/prepare/0/query/p", "outside of signIn"),
    .init("/renew/body/json/p", "\"{password}\"", "outside of signIn"),
    .init("/renew/body/json/p", "\"{code?}\"", "outside of signIn"),
    .init("/who/headers", #"{ "X-P": "{password}" }"#, at: "/who/headers/X-P", "outside of signIn"),
    .init("/end/path", "\"/{password}\"", "outside of signIn"),
    .init(
      "/proof", #"{ "basic": { "username": "{username}", "password": "{password}" } }"#, at: "/proof/basic/password",
      "outside of signIn"),
    .init("/proof/headers/X-P", "\"{password}\"", "outside of signIn"),
    .init("/signIn/0/reads/userID/jwt", "\"password\"", "no JWT"),
    // Names.
    .init("/signIn/0/body/json/other", "\"{other}\"", "other a value"),
    .init("/signIn/0/body/json/session", "\"{session}\"", "session a value"),
    .init("/signIn/0/body/json/handle", "\"{handle}\"", "handle a value"),
    .init("/signIn/0/body/json/token", "\"{token}\"", "token a value"),
    .init("/prepare/0/query", #"{ "c": "{csrf}" }"#, at: "/prepare/0/query/c", "csrf a value"),
    .init("/signIn/0/reads/userID/jwt", "\"ticket\"", "a value of this name"),
    .init("/signIn/0/reads/expiry/2/jwt", "\"ticket\"", "a value of this name"),
    .init("/proof/headers/X-Other", "\"{handle}\"", "handle a value"),
    .init("/signIn/0/reads/values/password", "\"/p\"", "every dialect has"),
    .init("/signIn/0/reads/values/apiKey", "\"/p\"", "setting has the same name"),
    .init("/signIn/0/reads/values/a-b", "\"/p\"", "letters, digits and underscores"),
    // Reads.
    .init("/signIn/0/reads/token", "\"access\"", "does not begin with /"),
    .init("/signIn/0/reads/token", "\"/a~2\"", "neither ~0 nor ~1"),
    .init("/signIn/0/reads/token", "\"\(String(repeating: "/a", count: 17))\"", "more than 16 parts"),
    .init("/signIn/0/reads/renewalToken/1/header", "\"X Refresh\"", "none that a field or a cookie"),
    .init("/signIn/0/reads/renewalToken/1/after", "\"\"", "is empty"),
    .init("/prepare/0/reads/values/csrf/cookie", "\"a;b\"", "none that a field or a cookie"),
    .init("/prepare/0/reads/values/page/0/formField", "\"\"", "empty or too long"),
    .init("/signIn/0/reads/token", #"{ "applicationPassword": true }"#, "not renewed"),
    .init("/who/reads/token", #"{ "applicationPassword": true }"#, "Only the token of a sign-in"),
    .init("/signIn/0/reads/expiry/1/zone", "\"CET\"", "The zone is none"),
    .init("/signIn/0/reads/expiry/1/zone", "\"+99:00\"", "The zone is none"),
    .init("/signIn/0/reads/renewalExpiry/zone", "\"+02:00\"", at: "/signIn/0/reads/renewalExpiry/as", "none of those"),
    .init(
      "/signIn/0/reads/token", #"[{ "header": "A b" }]"#, at: "/signIn/0/reads/token/0/header",
      "none that a field or a cookie"),
    .init("/who/reads/expiry", #"[{ "in": ["id"] }]"#, at: "/who/reads/expiry/0/in", "does not begin with /"),
    // Conditions and meanings.
    .init(
      "/signIn/0/success/all/0", deep(9), at: "/signIn/0/success/all/0/not/not/not/not/not/not/not", "more than 8 deep"),
    .init("/signIn/0/success/all/0/status", #"{ "from": 401, "to": 400 }"#, "ends before it begins"),
    .init("/meanings/2/when/not/header", "\"X Reason\"", "none that a field or a cookie"),
    .init("/meanings/1/when/any/1/body/contains", "\"\"", "Every text has an empty one"),
    .init("/signIn/0/meanings/3/when/contains", "\"\"", "Every text has an empty one"),
    .init("/meanings/1/when", #"{ "status": 401 }"#, at: "/meanings/1", "A status alone"),
    .init(
      "/meanings/1/when", #"{ "any": [{ "status": 401 }, { "pointer": "/a", "is": 1 }] }"#, at: "/meanings/1",
      "A status alone"),
    .init("/meanings/1/when", #"{ "not": { "pointer": "/a", "is": 1 } }"#, at: "/meanings/1", "A status alone"),
    .init("/meanings/1/when", #"{ "pointer": "/a", "exists": false }"#, at: "/meanings/1", "A status alone"),
    .init(
      "/meanings/1/when", #"{ "all": [{ "status": 401 }, { "status": { "from": 400, "to": 499 } }] }"#,
      at: "/meanings/1", "A status alone"),
    .init("/meanings/1", #"{ "when": { "status": 401 }, "means": "wrongPassword" }"#, "Outside of signIn"),
    .init("/signIn/0/meanings/2/kind", "\"sms\"", "No member of continue"),
    .init("/signIn/0/meanings/2/kind", nil, at: "/signIn/0/meanings/2", "not said which call"),
    .init("/signIn/0/meanings/2/handle", "\"handle\"", "does not begin with /"),
    // Proof and renewal.
    .init("/proof/headers", "{}", "no value in it"), .init("/proof/headers", #"{ "X-A": "a" }"#, "no value in it"),
    .init(
      "/proof/basic", #"{ "username": "{username}", "password": "{token}" }"#, at: "/proof/headers",
      "Authorization beside Basic"),
    .init("/proof/headers/Cookie", "\"{token}\"", "may set"),
    .init("/proof/below", "\"/api/\"", "no path without a slash"), .init("/proof/below", "\"api\"", "begin with /"),
    .init("/proof/below", "\"/a/..\"", "made of dots"), .init("/proof/origins/1", "\"other\"", "no server's role"),
    .init(
      "/proof", #"{ "cookie": { "name": "a;b", "value": "{token}" } }"#, at: "/proof/cookie/name",
      "none that a field or a cookie"),
    .init(
      "/proof", #"{ "cookie": { "name": "a", "value": "{token}; b=c" } }"#, at: "/proof/cookie/value",
      "can't be sent there"),
    .init("/proof", #"{ "cookies": ["a*b"] }"#, at: "/proof/cookies/0", "neither a cookie's name"),
    .init(
      "/proof", #"{ "cookies": ["a"], "csrf": { "value": "other", "header": "X-A" } }"#, at: "/proof/csrf/value",
      "No call reads"),
    .init(
      "/proof", #"{ "cookies": ["a"], "csrf": { "cookie": "b", "header": "X A" } }"#, at: "/proof/csrf/header",
      "none that a field can have"),
    .init(
      "/proof", #"{ "cookies": ["a"], "csrf": { "cookie": "b", "header": "Host" } }"#, at: "/proof/csrf/header",
      "may set"),
    .init("/renew", nil, at: "/renewal/by", "no call renew"),
    .init("/renewal/by", "\"none\"", at: "/renew", "not used"),
    .init("/renewal/by", "\"credential\"", at: "/renew", "not used"),
    .init("/renewal", nil, at: "/renew", "not used"),
    .init("/renew/reads/token", nil, at: "/renew", "reads no token"),
    .init("/renew/reads/renewalToken", nil, at: "/renewal/rotation", "renew reads none"),
  ]

  /// A condition in as many others.
  private static func deep(_ count: Int) -> String {
    String(repeating: #"{ "not": "#, count: count) + #"{ "status": 401 }"# + String(repeating: " }", count: count)
  }

  @Test("DIA-01 every mistake in a document's shape has its place and advice", arguments: shapes)
  func shape(mistake: DialectMistake) throws { try expect(mistake) }

  @Test("DIA-01 every contradiction in a document has its place and advice", arguments: contents)
  func content(mistake: DialectMistake) throws { try expect(mistake) }

  private func expect(_ mistake: DialectMistake) throws {
    let data = try DialectSamples.edited(mistake.edit, mistake.text)
    let problems = DialectSamples.problems(data)
    let found = problems.filter { $0.place == mistake.place && $0.message.contains(mistake.message) }
    #expect(found.count == 1, "\(problems)")
    for problem in problems {
      #expect(problem.message.hasSuffix(".") && problem.advice.hasSuffix("."), "\(problem)")
      #expect(!problem.description.contains(Self.long))
    }
    // What follows from a mistake is not one more.
    #expect(problems.count == 1, "\(problems)")
  }

  @Test("DIA-01 all problems are reported, and what follows from a broken part is not one more")
  func all() throws {
    var data = try DialectSamples.edited("/name", "\"A\"")
    for (place, text) in [
      ("/extra", "1"), ("/signIn/0/path", "\"//a\""), ("/who/path", "7"), ("/meanings/1/when", #"{ "status": 1 }"#),
      ("/end/query", #"{ "a": "{nothing}" }"#),
    ] { data = try DialectSamples.edited(String(decoding: data, as: UTF8.self), place, text) }
    let places = Set(DialectSamples.problems(data).map(\.place))
    #expect(
      places == ["/name", "/extra", "/signIn/0/path", "/who/path", "/meanings/1/when/status", "/end/query/a"])
  }

  @Test("DIA-01 a meaning that is not known, or missing, hides no mistake beside it")
  func besideMeaning() throws {
    for (means, place) in [(#", "means": "wrongpassword""#, "/means"), ("", "")] {
      let meaning = #"{ "when": { "pointer": "/error", "equals": "a" }, "til": 1\#(means) }"#
      let problems = DialectSamples.problems(try DialectSamples.edited("/signIn/0/meanings/0", meaning))
      #expect(
        problems.map { String($0.place.dropFirst("/signIn/0/meanings/0".count)) }
          == [place, "/when/equals", "/when", "/til"], "\(problems)")
    }
    let without = DialectSamples.problems(try DialectSamples.edited("/signIn/0/meanings/0", #"{ "means": "over" }"#))
    #expect(without.map(\.place) == ["/signIn/0/meanings/0/means", "/signIn/0/meanings/0"], "\(without)")
  }

  @Test("DIA-05 a body with the proof in it has no second member of its name")
  func membersOfProof() throws {
    var data = try DialectSamples.edited("/proof", #"{ "body": { "token": "{token}" } }"#)
    for (body, place) in [
      (#""json": { "token": "{token}" }"#, "/end/body/json/token"),
      (#""form": { "token": "a" }"#, "/end/body/form/token"),
    ] {
      let end = #"{ "method": "POST", "path": "/end", "body": { \#(body) } }"#
      data = try DialectSamples.edited(String(decoding: data, as: UTF8.self), "/end", end)
      #expect(DialectSamples.problems(data).map(\.place) == [place])
    }
    let without = #"{ "method": "POST", "path": "/end", "proof": false, "body": { "json": { "token": "{token}" } } }"#
    data = try DialectSamples.edited(String(decoding: data, as: UTF8.self), "/end", without)
    #expect(DialectSamples.problems(data).isEmpty)
  }

  @Test("DIA-01 a place leads to a part of the document, or to the object that lacks it")
  func places() throws {
    for mistake in Self.shapes + Self.contents {
      let data = try DialectSamples.edited(mistake.edit, mistake.text)
      let document = try OrderedJSON([UInt8](data), maximumDepth: 64)
      for problem in DialectSamples.problems(data) {
        let parts = DialectSamples.parts(of: problem.place)
        #expect(document.value(at: parts[...]) != nil, "\(problem)")
      }
    }
  }

  @Test("DIA-01 an example says what is wrong and what to do")
  func words() throws {
    let problems = DialectSamples.problems(try DialectSamples.edited("/signIn/0/query/p", "\"{password}\""))
    #expect(
      "\(DialectError(problems))"
        == "/signIn/0/query/p: password stands in a query, where it would be logged. "
        + "Write it into a JSON body, a form or Basic credentials.")
  }

  @Test("DIA-06 what is shown of a document is one line for a terminal")
  func terminal() throws {
    for place in ["/title", "/servers/server/title", "/settings/apiKey/title", "/signIn/0/meanings/2/title"] {
      let problems = DialectSamples.problems(try DialectSamples.edited(place, #""a\u001b[2Jb""#))
      #expect(problems.map(\.place) == [place])
    }
    let call = #"{ "method": "GET", "path": "/a" }"#
    #expect(DialectSamples.problems(try DialectSamples.edited("/continue/a b", call)).map(\.place) == ["/continue/a b"])
    let name = try DialectSamples.edited("/\u{1B}[2J\n", "1")
    let problems = DialectSamples.problems(name)
    #expect(problems.count == 1 && !"\(DialectError(problems))".contains { $0 == "\u{1B}" || $0.isNewline })
  }

  @Test("DIA-01 a dialect that is built in Swift is checked as a document is")
  func builtInSwift() throws {
    let good = try Dialect(json: Data(DialectSamples.everything.utf8))
    func places(_ change: (inout Dialect) -> Void) -> [String] {
      var dialect = good
      change(&dialect)
      return dialect.check().map(\.place)
    }
    #expect(places { $0.signIn = [] }.contains("/signIn"))
    #expect(places { $0.servers = [] }.contains("/servers"))
    #expect(places { $0.servers.append(DialectServer("server")) } == ["/servers/server"])
    #expect(places { $0.settings.append(DialectSetting("tenant")) } == ["/settings/tenant"])
    #expect(places { $0.signIn[0].query.append(DialectField("device", "a")) } == ["/signIn/0/query/device"])
    #expect(places { $0.signIn[0].query.append(DialectField("", "a")) } == ["/signIn/0/query"])
    #expect(places { $0.who?.body = .form([]) } == ["/who/body"])
    #expect(places { $0.who?.method = .head } == ["/who/method"])
    #expect(places { $0.renew?.body = .json("a") } == ["/renew/body/json"])
    #expect(
      places { $0.renew?.body = .json(["a": .number(.nan), "b": .number(2)]) } == [
        "/renew/body/json/a", "/renew/body/json/b",
      ])
    #expect(places { $0.renew?.body = .json(.object([.init("a", 1), .init("a", 2)])) } == ["/renew/body/json/a"])
    #expect(
      places {
        $0.signIn[0].basic = DialectBasic(); $0.signIn[0].headers.append(DialectField("authorization", "a"))
      }
        == ["/signIn/0/body/basic"])
    #expect(places { $0.who?.reads.attributes = [DialectNamedRead("a", [])] } == ["/who/reads/attributes/a"])
    #expect(places { $0.who?.reads.expiry = [.duration([])] } == ["/who/reads/expiry/in"])
    #expect(places { $0.who?.reads.expiry = [.fixed(-1)] } == ["/who/reads/expiry/in"])
    #expect(places { $0.who?.reads.expiry = [.date(["/a"], .sql(minutesFromUTC: 5000))] } == ["/who/reads/expiry/zone"])
    #expect(places { $0.who?.success = .all([]) } == ["/who/success/all"])
    #expect(places { $0.who?.success = .status(0...99_999) } == ["/who/success/status"])
    #expect(places { $0.who?.success = .pointer("/a", .isOneOf([])) } == ["/who/success/isOneOf"])
    #expect(places { $0.who?.success = .pointer("/a", .equals(.object([:]))) } == ["/who/success/is"])
    #expect(places { $0.proof = DialectProof(.cookies([])) } == ["/proof/cookies"])
    #expect(places { $0.renewal.grace = -1 } == ["/renewal/grace"])
    #expect(places { $0.title = String(repeating: "a", count: 5000) } == ["/title"])
    #expect(places { $0.prepare = Array(repeating: $0.prepare[0], count: 17) } == ["/prepare"])
  }

  @Test("DIA-01 notes say what an app should know")
  func notes() throws {
    let everything = try Dialect(json: Data(DialectSamples.everything.utf8))
    #expect(everything.notes().map(\.place) == ["/signIn/0/reads"])
    let small = try Dialect(json: Data(DialectSamples.small.utf8))
    #expect(small.notes().map(\.place) == [""])
    let password = try Dialect(
      json: DialectSamples.edited(DialectSamples.small, "/signIn/0/reads/token", #"{ "applicationPassword": true }"#))
    #expect(password.notes().map(\.place) == ["/signIn/0/reads/token", ""])
    let query = try Dialect(
      json: DialectSamples.edited(DialectSamples.small, "/proof", #"{ "insecureQuery": { "t": "{token}" } }"#))
    #expect(query.notes().map(\.place) == ["/proof/insecureQuery", ""])
    let cookies = try Dialect(json: DialectSamples.edited(DialectSamples.small, "/proof", #"{ "cookies": ["a"] }"#))
    #expect(cookies.notes().map(\.place) == ["/proof/cookies", ""])
  }
}
