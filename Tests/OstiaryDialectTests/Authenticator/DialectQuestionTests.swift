import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Questions of a server in the middle of a sign-in")
struct DialectQuestionTests {
  static let code = Secret(TokenAPI.secrets[1])

  @Test(
    "DIA-questions: a second factor is asked for once, however many wait, and values of the demand serve the answer")
  func once() async throws {
    let api = TokenAPI()
    let asked = Locked<[DialectQuestion]>([])
    let gate = Gate()
    let questions = DialectQuestions { question in
      asked.withLock { $0.append(question) }
      try await gate.pass()
      return .code(Self.code)
    }
    let manager = try api.manager(credentials: .upFront(TokenAPI.carol), answering: questions) { dialect in
      dialect.signIn[0].reads.values = [DialectNamedRead("region", "/region")]
      dialect.continuations[0].call.query = [DialectField("region", "{region}")]
    }
    let callers = (0..<50).map { _ in Task { try await manager.session().user.id } }
    try await gate.waitForArrivals(1)
    gate.open()
    for caller in callers { #expect(try await caller.value == "7") }
    let questionsAsked = asked.withLock { $0 }
    #expect(questionsAsked.map(\.kind) == ["totp"])
    #expect(questionsAsked.first?.title == "The code of your app")
    #expect(questionsAsked.first?.isAcceptance == false)
    #expect(api.transport.requests.contains { $0.path == "/2fa?region=eu" })
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("Terms are accepted by yes or no")
  func terms() async throws {
    let api = TokenAPI()
    let questions = DialectQuestions { $0.isAcceptance ? .accepted : .declined }
    let grant = try await api.authenticator(answering: questions).signIn(with: TokenAPI.dave, in: api.context)
    #expect(grant.proof.tokens["token"] != nil)
  }

  @Test("DIA-questions: a wrong code is asked for again, and says why; the password is not shown again")
  func wrong() async throws {
    let api = TokenAPI()
    let attempts = Locked<[(Int, OstiaryError?)]>([])
    let questions = DialectQuestions { question in
      attempts.withLock { $0.append((question.attempt, question.previousError)) }
      return .code(question.attempt == 1 ? "000000" : Self.code)
    }
    let manager = try api.manager(credentials: .upFront(TokenAPI.carol), answering: questions)
    _ = try await manager.session()
    #expect(attempts.withLock { $0.map(\.0) } == [1, 2])
    #expect(attempts.withLock { $0.map { $0.1?.code } } == [nil, .invalidCredentials])
    // It was not the password that was wrong.
    #expect(attempts.withLock { $0.last?.1?.message.contains("the answer to its question") } == true)
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("DIA-rounds: rounds are bounded", arguments: [1, 7])
  func bounded(_ rounds: Int) async throws {
    let api = TokenAPI()
    let asked = Locked(0)
    let questions = DialectQuestions { _ in
      asked.withLock { $0 += 1 }
      return .code("000000")
    }
    var authenticator = try api.authenticator(answering: questions)
    authenticator.maximumRounds = rounds
    let limited = authenticator
    let error = await failure { try await limited.signIn(with: TokenAPI.carol, in: api.context) }
    #expect(error?.code == .challengedAgain)
    #expect(error?.disposition == .terminal)
    #expect(asked.withLock { $0 } == rounds)
  }

  @Test("DIA-rounds: a server that asks another question each time is bounded, too")
  func endless() async throws {
    let api = TokenAPI()
    api.answer("POST /2fa", .json(["mfa": "totp", "handle": "planted-handle"]))
    let asked = Locked(0)
    let questions = DialectQuestions { _ in
      asked.withLock { $0 += 1 }
      return .code("1")
    }
    let authenticator = try api.authenticator(answering: questions) { dialect in
      dialect.continuations[0].call.meanings = dialect.signIn[0].meanings
    }
    let error = await failure { try await authenticator.signIn(with: TokenAPI.carol, in: api.context) }
    #expect(error?.code == .challengedAgain)
    #expect(asked.withLock { $0 } == 7)
  }

  @Test("Declining ends the sign-in for all who wait, by an answer or by any error")
  func declined() async throws {
    struct Bored: Error {}
    for isThrowing in [true, false] {
      let api = TokenAPI()
      let questions = DialectQuestions { _ in
        if isThrowing { throw Bored() }
        return .declined
      }
      let manager = try api.manager(credentials: .upFront(TokenAPI.carol), answering: questions)
      let callers = (0..<5).map { _ in Task { await failure { try await manager.session() }?.code } }
      for caller in callers {
        let code = await caller.value
        #expect(code == .interactionCancelled || code == .interactionRequired)
      }
    }
  }

  @Test("DIA-cancel: giving the sign-in up tells the app that its question is of no use any more")
  func cancelled() async throws {
    let api = TokenAPI()
    let isTold = Gate()
    let isAsked = Gate()
    let questions = DialectQuestions { _ in
      isAsked.open()
      do {
        try await Gate().pass()
      } catch {
        isTold.open()
        throw error
      }
      return .declined
    }
    let manager = try api.manager(credentials: .byHandler, answering: questions)
    let caller = Task { await failure { try await manager.session() }?.code }
    try await isAsked.pass()
    manager.cancelSignIn()
    try await isTold.pass()
    #expect(await caller.value == .interactionCancelled)
  }

  @Test("An answer of the wrong kind, or to a kind that the document has not, is misuse")
  func misfits() async throws {
    let api = TokenAPI()
    for reply in [DialectReply.accepted, .password(username: "a", password: "b")] {
      let error = await failure {
        try await api.authenticator(answering: DialectQuestions { _ in reply })
          .signIn(with: TokenAPI.carol, in: api.context)
      }
      #expect(error?.code == .invalidInput)
      #expect(error?.message.contains("does not fit") == true)
    }
    api.answer("POST /login", .json(["mfa": "planted-kind", "handle": "planted-handle"]))
    let error = await failure {
      try await api.authenticator(answering: DialectQuestions { _ in .code("1") })
        .signIn(with: TokenAPI.carol, in: api.context)
    }
    #expect(error?.code == .questionNotAnswered)
    #expect(error.map { "\($0)" }?.contains("planted") == false)
  }

  @Test("DIA-byhandler: user name and password are questions, too, where the app signs in by its handler")
  func byHandler() async throws {
    let api = TokenAPI()
    let attempts = Locked<[Int]>([])
    let questions = DialectQuestions { question in
      guard question.kind == DialectQuestion.password else { return .code(Self.code) }
      attempts.withLock { $0.append(question.attempt) }
      return .password(username: "carol", password: question.attempt == 1 ? "wrong" : Secret(TokenAPI.secrets[0]))
    }
    let manager = try api.manager(credentials: .byHandler, answering: questions)
    #expect(try await manager.session().user.id == "7")
    #expect(attempts.withLock { $0 } == [1, 2])
  }

  @Test("The same question again is the answer to a wrong code; the handle that was there stays")
  func sameQuestion() async throws {
    let api = TokenAPI()
    let attempts = Locked<[Int]>([])
    let refusals = Locked(0)
    let questions = DialectQuestions { question in
      attempts.withLock { $0.append(question.attempt) }
      if question.previousError != nil { refusals.withLock { $0 += 1 } }
      if question.attempt == 2 { api.answer("POST /2fa", nil) }
      return .code(Self.code)
    }
    api.answer("POST /2fa", .json(["mfa": "totp"]))
    let authenticator = try api.authenticator(answering: questions) { dialect in
      dialect.continuations[0].call.meanings = dialect.signIn[0].meanings
    }
    _ = try await authenticator.signIn(with: TokenAPI.carol, in: api.context)
    #expect(attempts.withLock { $0 } == [1, 2])
    #expect(refusals.withLock { $0 } == 1)
  }

  @Test("DIA-before: calls before the question are made once, and what they give serves the answer")
  func before() async throws {
    let api = TokenAPI()
    let sent = Locked(0)
    api.transport.on(.post, "/send") { _ in
      sent.withLock { $0 += 1 }
      return .json(["id": "c1"])
    }
    let questions = DialectQuestions { .code($0.attempt == 1 ? "000000" : Self.code) }
    let authenticator = try api.authenticator(answering: questions) { dialect in
      dialect.continuations[0].before = [
        DialectCall(.post, "/send", reads: DialectReads(values: [DialectNamedRead("challenge", "/id")]))
      ]
      dialect.continuations[0].call.query = [DialectField("challenge", "{challenge}")]
    }
    _ = try await authenticator.signIn(with: TokenAPI.carol, in: api.context)
    #expect(sent.withLock { $0 } == 1)
    #expect(api.transport.requests.filter { $0.path == "/2fa?challenge=c1" }.count == 2)
    api.transport.on(.post, "/send") { _ in .status(.tooManyRequests) }
    let error = await failure { try await authenticator.signIn(with: TokenAPI.carol, in: api.context) }
    #expect(error?.code == .serverUnavailable)
    #expect((error?.underlying as? DialectPlace)?.inDocument == "/continue/totp/before/0")
  }
}
