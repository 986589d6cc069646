import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("What answers to a sign-in mean")
struct DialectMeaningTests {
  func refusal(
    _ response: TransportResponse, _ change: (inout Dialect) -> Void = { _ in }
  ) async throws -> OstiaryError? {
    let api = TokenAPI()
    api.answer("POST /login", response)
    let authenticator = try api.authenticator(change)
    return await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
  }

  @Test("DIA-meanings: each that a document can name, on a status of 200")
  func each() async throws {
    func means(_ meaning: DialectMeaning.Meaning, _ body: String = #"{"error":"e","until":600}"#) async throws
      -> OstiaryError?
    {
      try await refusal(apiAnswer(body)) { dialect in
        dialect.signIn[0].meanings = [DialectMeaning(when: .pointer("/error", .equals("e")), meaning)]
      }
    }
    let wrong = try await means(.wrongPassword)
    #expect(wrong?.code == .invalidCredentials)
    #expect(wrong?.disposition == .terminal)
    #expect((wrong?.underlying as? DialectPlace)?.inDocument == "/signIn/0/meanings/0")
    let locked = try await means(.lockedUntil([.duration(["/until"])]))
    #expect(locked?.code == .accountLocked)
    #expect(locked?.disposition == .transient(retryAfter: .seconds(600)))
    let lockedForGood = try await means(.lockedUntil())
    #expect(lockedForGood?.code == .accountLocked)
    #expect(lockedForGood?.disposition == .terminal)
    let change = try await means(.passwordChange)
    #expect(change?.code == .passwordChangeNeeded)
    #expect(change?.disposition == .terminal)
    let later = try await means(.tryLater(after: [.duration(["/until"])]))
    #expect(later?.code == .serverUnavailable)
    #expect(later?.disposition == .transient(retryAfter: .seconds(600)))
    #expect(try await means(.secondFactor(DialectDemand(.named("totp"))))?.code == .questionNotAnswered)
    #expect(try await means(.acceptTerms(DialectDemand(.named("terms"))))?.code == .questionNotAnswered)
  }

  @Test("DIA-meanings: what is about a session means nothing where none was shown")
  func aboutSessions() async throws {
    for meaning in [DialectMeaning.Meaning.expired, .endedForGood, .notThisSession] {
      let error = try await refusal(apiAnswer(#"{"code":"over"}"#, status: .badRequest)) { dialect in
        dialect.meanings = [DialectMeaning(when: .pointer("/code", .equals("over")), meaning)]
      }
      #expect(error?.code == .dialectRefused)
      // The next that holds counts.
      let next = try await refusal(apiAnswer(#"{"code":"over"}"#, status: .badRequest)) { dialect in
        let condition = DialectCondition.pointer("/code", .equals("over"))
        dialect.meanings = [DialectMeaning(when: condition, meaning), DialectMeaning(when: condition, .wrongPassword)]
      }
      #expect(next?.code == .invalidCredentials)
    }
  }

  @Test("The call's own meanings come before the document's, and the first that holds counts")
  func order() async throws {
    let error = try await refusal(apiAnswer(#"{"e":1}"#, status: .badRequest)) { dialect in
      dialect.meanings = [DialectMeaning(when: .pointer("/e", .equals(1)), .passwordChange)]
      dialect.signIn[0].meanings = [
        DialectMeaning(when: .pointer("/e", .equals(2)), .passwordChange),
        DialectMeaning(when: .pointer("/e", .equals(1)), .wrongPassword),
        DialectMeaning(when: .status(400), .tryLater()),
      ]
    }
    #expect(error?.code == .invalidCredentials)
    #expect((error?.underlying as? DialectPlace)?.inDocument == "/signIn/0/meanings/1")
  }

  /// Answers without a meaning: the status, the type, the code of the error and whether trying again may help.
  static let unnamed: [(Int, String, OstiaryError.Code, OstiaryError.Disposition)] = [
    (401, "application/json", .invalidCredentials, .terminal), (401, "text/plain", .invalidCredentials, .terminal),
    (401, "text/html", .unexpectedResponse, .transient(retryAfter: nil)),
    (400, "application/json", .dialectRefused, .misuse), (403, "application/json", .dialectRefused, .misuse),
    (422, "application/json", .dialectRefused, .misuse), (404, "text/plain", .dialectRefused, .misuse),
    (403, "text/html", .unexpectedResponse, .transient(retryAfter: nil)),
    (423, "application/json", .accountLocked, .terminal),
    (429, "application/json", .serverUnavailable, .transient(retryAfter: .seconds(7))),
    (500, "application/json", .serverUnavailable, .transient(retryAfter: .seconds(7))),
    (503, "text/html", .serverUnavailable, .transient(retryAfter: .seconds(7))),
    (302, "application/json", .unexpectedResponse, .transient(retryAfter: nil)),
    (200, "text/html", .unexpectedResponse, .transient(retryAfter: nil)),
  ]

  @Test("DIA-defaults: what an answer without a meaning means", arguments: unnamed.indices)
  func defaults(_ index: Int) async throws {
    let (status, type, code, disposition) = Self.unnamed[index]
    let fields: HTTPFields = [.retryAfter: "7", .location: "https://api.test/elsewhere"]
    let error = try await refusal(
      apiAnswer(type == "text/html" ? "<p>" : "{}", type, status: .init(code: status), headerFields: fields)
    ) {
      $0.signIn[0].meanings = []
    }
    #expect(error?.code == code)
    #expect(error?.disposition == disposition)
    #expect((error?.underlying as? DialectPlace)?.inDocument == "/signIn/0")
    #expect((error?.underlying as? DialectPlace)?.status == status)
  }

  @Test("DIA-meanings: a page is no word about the password by its status alone; by a mark in it, it is")
  func pages() async throws {
    func error(_ condition: DialectCondition) async throws -> OstiaryError? {
      try await refusal(apiAnswer("<p>Wrong password</p>", "text/html", status: .unauthorized)) { dialect in
        dialect.signIn[0].meanings = [DialectMeaning(when: condition, .wrongPassword)]
      }
    }
    #expect(try await error(.status(401))?.code == .unexpectedResponse)
    #expect(try await error(.bodyContains("wrong password"))?.code == .invalidCredentials)
  }

  @Test("A success without a token names the place that the document reads it from")
  func noToken() async throws {
    for body in ["{}", #"{"access":null}"#, "", "[]", #"{"token":"planted-other"}"#] {
      let error = try await refusal(apiAnswer(body))
      #expect(error?.code == .unexpectedResponse)
      #expect(error?.message.contains("/signIn/0/reads/token") == true)
      #expect(error?.message.contains("/access") == true)
      #expect(error?.message.contains("planted") == false)
    }
  }

  @Test("A token that can't be one is an error of the document or the server, and names both")
  func unusableToken() async throws {
    let error = try await refusal(apiAnswer(#"{"access":"planted\r\nX-Evil: 1"}"#))
    #expect(error?.code == .unusableToken)
    #expect(error?.disposition == .misuse)
    #expect(error.map { "\($0)" }?.contains("planted") == false)
  }

  @Test("A success that the document describes otherwise is none")
  func success() async throws {
    let condition = DialectCondition.pointer("/ok", .equals(true))
    let refused = try await refusal(apiAnswer(#"{"ok":false,"access":"t"}"#)) { $0.signIn[0].success = condition }
    #expect(refused?.code == .unexpectedResponse)
    #expect(refused?.isTransient == true)
    #expect(try await refusal(apiAnswer(#"{"ok":true,"access":"t"}"#)) { $0.signIn[0].success = condition } == nil)
    #expect(
      try await refusal(apiAnswer(#"{"ok":true,"access":"t"}"#, status: .badRequest)) {
        $0.signIn[0].success = condition
      } == nil)
  }

  @Test("An answer of more than 1 MiB is not read")
  func large() async throws {
    let body = #"{"access":"t","filler":""# + String(repeating: "f", count: 1 << 20) + "\"}"
    let error = try await refusal(apiAnswer(body))
    #expect(error?.code == .responseTooLarge)
    #expect(error?.message.contains("/signIn/0") == true)
  }

  @Test("DIA-explain: the app's words for what the document does not name, once")
  func explained() async throws {
    let api = TokenAPI()
    let count = Locked(0)
    var replacements = DialectReplacements()
    replacements.explain = { error, failure in
      count.withLock { $0 += 1 }
      var error = error
      error.message = "\(failure.step.rawValue) \(failure.response.status.code) \(failure.secrets.count > 0)"
      return error
    }
    let authenticator = try api.authenticator(replacing: replacements)
    api.answer("POST /login", apiAnswer("{}", status: .badRequest))
    let error = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(error?.message == "signIn 400 true")
    api.answer("POST /login", nil)
    let wrong = Credential.password(username: "ann", password: "other")
    #expect(await failure { try await authenticator.signIn(with: wrong, in: api.context) }?.code == .invalidCredentials)
    #expect(count.withLock { $0 } == 1)
  }
}
