import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Which answers refuse a session")
struct DialectJudgeTests {
  func judge(_ answer: TransportResponse, _ change: (inout Dialect) -> Void = { _ in }) throws -> Verdict {
    let api = TokenAPI()
    return try api.authenticator(change).judge(answer, to: api.things)
  }

  @Test("DIA-judge: a mark that the document names refuses it, and nothing was executed")
  func marked() throws {
    guard
      case .rejected(let reason, false) = try judge(apiAnswer(#"{"code":"token_not_valid"}"#, status: .unauthorized))
    else {
      Issue.record("not rejected")
      return
    }
    #expect(reason.contains("/meanings/0"))
  }

  @Test("DIA-judge: a bare 401, and a meaning of a status alone, is doubtful")
  func bare() throws {
    for answer in [
      apiAnswer("{}", status: .unauthorized), TransportResponse.status(.unauthorized),
      .html("<p>", status: .unauthorized), apiAnswer(#"{"code":"other"}"#, status: .unauthorized),
    ] {
      guard case .doubtful(_, false) = try judge(answer) else {
        Issue.record("not doubtful")
        continue
      }
    }
    let bare = try judge(apiAnswer("{}", status: .forbidden)) {
      $0.meanings = [DialectMeaning(when: .status(403), .expired)]
    }
    guard case .doubtful(_, false) = bare else {
      Issue.record("not doubtful")
      return
    }
  }

  @Test("DIA-judge: where no call can be asked, what renews the session tells, but never of a page")
  func unaskable() throws {
    guard case .rejected(_, false) = try judge(.status(.unauthorized), { $0.who = nil }) else {
      Issue.record("not rejected")
      return
    }
    guard case .doubtful = try judge(.html("<p>", status: .unauthorized), { $0.who = nil }) else {
      Issue.record("not doubtful")
      return
    }
    let none = try judge(.status(.unauthorized)) { dialect in
      (dialect.who, dialect.renew, dialect.renewal) = (nil, nil, .none)
    }
    guard case .doubtful = none else {
      Issue.record("not doubtful")
      return
    }
  }

  @Test(
    "Invariant 3: nothing else does",
    arguments: [
      apiAnswer(#"{"code":"token_not_valid"}"#), apiAnswer(#"{"code":"token_not_valid"}"#, status: .forbidden),
      apiAnswer(#"{"code":"token_not_valid"}"#, status: .serviceUnavailable),
      apiAnswer(#"{"code":"token_not_valid"}"#, status: .tooManyRequests), .status(.forbidden), .status(.found),
      .status(.internalServerError), .html("<form>"), .status(.notFound), .json([:]),
    ])
  func accepted(_ answer: TransportResponse) throws { #expect(try judge(answer) == .accepted) }

  @Test("DIA-judge: a body of more than 16 KiB is no refusal with a mark")
  func large() throws {
    let filler = String(repeating: "f", count: 17_000)
    let body = #"{"code":"over","f":"\#(filler)"}"#
    let meanings = [DialectMeaning(when: .pointer("/code", .equals("over")), .endedForGood)]
    #expect(try judge(apiAnswer(body, status: .forbidden)) { $0.meanings = meanings } == .accepted)
    // Nor is one of a server that can't answer now, also where its body has the mark.
    for status in [HTTPResponse.Status.serviceUnavailable, .tooManyRequests, .requestTimeout] {
      #expect(try judge(apiAnswer(#"{"code":"over"}"#, status: status)) { $0.meanings = meanings } == .accepted)
    }
    let small = try judge(apiAnswer(#"{"code":"over"}"#, status: .forbidden)) { $0.meanings = meanings }
    guard case .rejected = small else {
      Issue.record("not rejected")
      return
    }
  }

  @Test("What is the app's business, or wants more of the user")
  func others() throws {
    func verdict(_ meaning: DialectMeaning.Meaning) throws -> Verdict {
      try judge(apiAnswer(#"{"e":1}"#, status: .unauthorized)) {
        $0.meanings = [DialectMeaning(when: .pointer("/e", .equals(1)), meaning)]
      }
    }
    #expect(try verdict(.notThisSession) == .accepted)
    #expect(try verdict(.tryLater()) == .accepted)
    #expect(try verdict(.lockedUntil()) == .accepted)
    for meaning in [
      DialectMeaning.Meaning.passwordChange, .secondFactor(DialectDemand(.named("totp"))),
      .acceptTerms(DialectDemand(.named("terms"))),
    ] {
      guard case .insufficient = try verdict(meaning) else {
        Issue.record("not insufficient")
        continue
      }
    }
  }

  @Test("DIA-body: the body is asked for only where it decides")
  func bodies() throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator()
    func needed(_ status: HTTPResponse.Status, _ type: String, _ authenticator: DialectAuthenticator) -> Int {
      let head = HTTPResponse(status: status, headerFields: [.contentType: type])
      return authenticator.bodyNeeded(
        toJudge: StreamingResponse(head, body: ResponseBody([]), url: TokenAPI.url), to: api.things)
    }
    #expect(needed(.unauthorized, "application/json", authenticator) == 16 * 1024 + 1)
    #expect(needed(.unauthorized, "application/problem+json; charset=utf-8", authenticator) == 16 * 1024 + 1)
    #expect(needed(.ok, "application/json", authenticator) == 0)
    #expect(needed(.unauthorized, "image/png", authenticator) == 0)
    #expect(needed(.serviceUnavailable, "application/json", authenticator) == 0)
    let always = try api.authenticator {
      $0.meanings = [DialectMeaning(when: .pointer("/code", .equals("over")), .endedForGood)]
    }
    #expect(needed(.ok, "application/json", always) == 16 * 1024 + 1)
    #expect(needed(.serviceUnavailable, "application/json", always) == 0)
    let text = try api.authenticator {
      $0.meanings = [DialectMeaning(when: .all([.status(403), .bodyContains("expired")]), .expired)]
    }
    #expect(needed(.forbidden, "text/plain", text) == 16 * 1024 + 1)
    #expect(needed(.forbidden, "image/png", text) == 0)
  }

  @Test("A closure of the app's judges first")
  func replaced() throws {
    var replacements = DialectReplacements()
    replacements.judge = { response, _ in
      response.status == .conflict ? .rejected(reason: "r", mayHaveExecuted: true) : nil
    }
    let api = TokenAPI()
    let authenticator = try api.authenticator(replacing: replacements)
    #expect(authenticator.judge(.status(.conflict), to: api.things) == .rejected(reason: "r", mayHaveExecuted: true))
    #expect(authenticator.judge(.status(.ok), to: api.things) == .accepted)
  }
}
