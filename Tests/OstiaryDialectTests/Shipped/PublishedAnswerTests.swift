import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import Testing

/// Reads the answers that vendors publish, each by the call that it answers.
@Suite("Published answers of shipped dialects")
struct PublishedAnswerTests {
  /// An hour before the tokens of the examples expire: lifetimes of more than ten years count as none.
  static let now = Date(timeIntervalSince1970: 4_102_444_800 - 3600)

  @Test(
    "Done 1: every published answer is read, and has the meaning that its page gives it",
    arguments: ShippedDialects.all)
  func published(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    for example in try PublishedExamples.of(shipped.name).examples {
      let site = try #require(Self.site(of: example, in: dialect), "\(shipped.name): \(example.testDescription)")
      let answer = Self.answer(example, site)
      let words = Comment(rawValue: "\(shipped.name): \(example.testDescription) (\(example.source))")
      switch example.means {
      case "success":
        #expect(answer.meaning(in: dialect) == nil, words)
        #expect(answer.isSuccess && !answer.isForeignPage, words)
        try Self.compare(answer.findings(Self.values), example.expects, words)
      case "accepted", "doubtful":
        #expect(answer.meaning(in: dialect) == nil && !answer.isSuccess, words)
      case "tryLater" where answer.meaning(in: dialect) == nil:
        // A status of 429 means so without the document's word.
        #expect(example.status == 429, words)
      default:
        let meaning = try #require(answer.meaning(in: dialect), words)
        #expect(Self.name(of: meaning.meaning.meaning) == example.means, words)
        try Self.compare(meaning.meaning.meaning, of: answer, example.expects, words)
      }
    }
  }

  @Test(
    "An end of the session has a mark in every shipped dialect; a status alone ends none",
    arguments: ShippedDialects.all)
  func marks(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    let meanings = dialect.callSites.flatMap(\.call.meanings) + dialect.meanings
    for meaning in meanings where meaning.meaning == .endedForGood {
      #expect(meaning.condition.hasMark)
    }
  }

  @Test(
    "Of an empty answer, a page and an answer of the status alone, no shipped dialect learns that a session is over",
    arguments: ShippedDialects.all)
  func statusAlone(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    for site in dialect.callSites {
      for status in [400, 401, 403, 404, 419, 429, 500, 502, 503] {
        for (type, body) in [("application/json", ""), ("application/json", "{}"), ("text/html", "<h1>Sign in</h1>")] {
          let example = PublishedExample(
            call: "", name: "", source: "", index: 0, status: status, headers: ["Content-Type": type],
            body: .string(body), means: "", expects: nil)
          let meaning = Self.answer(example, site).meaning(in: dialect)?.meaning.meaning
          #expect(meaning != .endedForGood, "\(shipped.name) \(site.place) \(status)")
        }
      }
    }
  }

  @Test(
    "A page of a host in between signs no user in, and renews nothing, by any shipped dialect",
    arguments: ShippedDialects.all)
  func foreignPage(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    let page = PublishedExample(
      call: "", name: "", source: "", index: 0, status: 200, headers: ["Content-Type": "text/html"],
      body: .string("<html><title>Welcome</title></html>"), means: "", expects: nil)
    for site in dialect.callSites where [.signIn, .continue, .renew].contains(site.step) {
      let answer = Self.answer(page, site)
      #expect(answer.meaning(in: dialect) == nil, "\(shipped.name) \(site.place)")
      guard answer.isSuccess, !answer.isForeignPage else { continue }
      if site.call.reads.token.isEmpty {
        #expect(throws: OstiaryError.self, "\(shipped.name) \(site.place)") { try answer.findings(Self.values) }
      } else {
        // Where the token is in a field, nothing of the page is read.
        #expect((try? answer.findings(Self.values))?.token == nil, "\(shipped.name) \(site.place)")
      }
    }
  }

  // MARK: Parts

  static let values = DialectValues([
    "username": "ada", "password": Secret(password), "code": "123456", "handle": "the handle",
  ])
  static let password = "the password that was given"

  /// The call that an example answers; for a request of the app, one that shows a session and reads nothing.
  static func site(of example: PublishedExample, in dialect: Dialect) -> DialectCallSite? {
    let parts = example.call.split(separator: ":").map(String.init)
    switch parts.first {
    case "prepare": return dialect.prepareSites.dropFirst(example.index).first
    case "signIn": return dialect.signInSites.dropFirst(example.index).first
    case "continue":
      return dialect.continuations.first { $0.kind == parts.last }.map { dialect.continuationSite($0) }
    case "before":
      return dialect.continuations.first { $0.kind == parts.last }
        .flatMap { dialect.sites(of: $0).dropFirst(example.index).first }
    case "renew": return dialect.renewSite
    case "verify": return dialect.verifySite
    case "who": return dialect.whoSite
    case "end": return dialect.endSite
    case "request": return DialectCallSite(DialectCall(.get, "/"), .verify, at: "")
    default: return nil
    }
  }

  static func answer(_ example: PublishedExample, _ site: DialectCallSite) -> DialectAnswer {
    var head = HTTPResponse(status: HTTPResponse.Status(code: example.status))
    for (name, value) in example.headers {
      guard let field = HTTPField.Name(name) else { continue }
      head.headerFields[field] = value
    }
    let request = HTTPRequest(method: site.call.method, scheme: "https", authority: "api.example.com", path: "/")
    var jar = CookieJar()
    jar.storeAll(from: head, to: request, now: now)
    return DialectAnswer(
      TransportResponse(head, body: example.bytes), to: request, of: site, jar: jar, sentAt: now, now: now)
  }

  static func name(of meaning: DialectMeaning.Meaning) -> String {
    switch meaning {
    case .wrongPassword: "wrongPassword"
    case .lockedUntil: "lockedUntil"
    case .secondFactor: "secondFactor"
    case .acceptTerms: "acceptTerms"
    case .passwordChange: "passwordChange"
    case .expired: "expired"
    case .endedForGood: "endedForGood"
    case .notThisSession: "notThisSession"
    case .tryLater: "tryLater"
    }
  }

  static func compare(_ findings: DialectFindings, _ expected: PublishedExample.Expected?, _ words: Comment) throws {
    guard let expected else { return }
    #expect(findings.token?.reveal() == expected.token, words)
    #expect(findings.renewalToken?.reveal() == expected.renewalToken, words)
    if let userID = expected.userID { #expect(findings.userID == userID, words) }
    if let userName = expected.userName { #expect(findings.userName == userName, words) }
    if let seconds = expected.expiresIn {
      #expect(findings.expiresAt == now.addingTimeInterval(Double(seconds)), words)
    }
    if let text = expected.expiresAt {
      let date = try Date(text, strategy: .iso8601)
      #expect(findings.expiresAt == date, words)
    }
  }

  static func compare(
    _ meaning: DialectMeaning.Meaning, of answer: DialectAnswer, _ expected: PublishedExample.Expected?,
    _ words: Comment
  ) throws {
    switch meaning {
    case .secondFactor(let demand):
      #expect(demand.kind == expected?.kind.map { DialectDemand.Kind.named($0) }, words)
      if let handle = expected?.handle {
        #expect(answer.text(demand.handle, "handle", values)?.value == .string(handle), words)
      }
    case .tryLater(let after):
      if let seconds = expected?.after {
        #expect(answer.wait(after, "after", values) == .seconds(seconds), words)
      }
    default: break
    }
  }
}

extension PublishedExample {
  /// The body as it is sent.
  var bytes: Data {
    if let text = body.string { return Data(text.utf8) }
    return (try? JSONEncoder().encode(body)) ?? Data()
  }
}
