import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Answers that would cost a session or a password by accident")
struct DialectFaultTests {
  private func signedIn(
    _ change: (inout Dialect) -> Void
  ) async throws -> (TokenAPI, DialectAuthenticator, Session) {
    let api = TokenAPI()
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      change(&dialect)
    }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    return (api, authenticator, grant.session(authenticator))
  }

  private func renewed(
    _ authenticator: DialectAuthenticator, _ session: Session, _ api: TokenAPI
  ) async throws -> SessionGrant {
    guard case .renewed(let grant) = try await authenticator.renew(session, in: api.context) else {
      throw OstiaryError(.internalError, "not renewed")
    }
    return grant
  }

  @Test(
    "DIA-typed: a user who goes by the typed name is no other one where a renewal or a check says the server's name")
  func typedName() async throws {
    let (api, authenticator, session) = try await signedIn { dialect in
      dialect.renew?.reads.userID = ["/user"]
      dialect.verify = DialectCall(.get, "/check", reads: DialectReads(userID: ["/id"]))
    }
    #expect(session.user.id == "ann")
    guard case .valid = try await authenticator.verify(session, in: api.context) else {
      Issue.record("not valid")
      return
    }
    api.answer("POST /refresh", .json(["access": "planted-token-5", "user": "4711"]))
    let grant = try await renewed(authenticator, session, api)
    #expect(grant.user.id == "ann", "requests that are under way are this user's")
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-5")
  }

  @Test(
    "DIA-busy: a server that can't answer now says nothing of the password, whatever mark its answer has",
    arguments: [429, 500, 503])
  func busy(_ status: Int) async throws {
    let api = TokenAPI()
    api.answer(
      "POST /login", apiAnswer(#"{"code":"no","until":60}"#, status: .init(code: status)))
    func refusal(_ meaning: DialectMeaning.Meaning) async throws -> OstiaryError? {
      let authenticator = try api.authenticator { dialect in
        dialect.signIn[0].meanings = [DialectMeaning(when: .pointer("/code", .equals("no")), meaning)]
      }
      return await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    }
    for meaning in [DialectMeaning.Meaning.wrongPassword, .passwordChange] {
      let error = try await refusal(meaning)
      #expect(error?.code == .serverUnavailable && error?.isTransient == true)
    }
    let locked = try await refusal(.lockedUntil([.duration(["/until"])]))
    #expect(locked?.code == .accountLocked && locked?.disposition == .transient(retryAfter: .seconds(60)))
  }

  @Test("DIA-own-request: an app's own request about a password is the app's, and a 401 of one is asked about")
  func ownPassword() throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator { dialect in
      dialect.meanings = [DialectMeaning(when: .pointer("/code", .equals("bad_password")), .wrongPassword)]
    }
    for status in [HTTPResponse.Status.badRequest, .forbidden, .unprocessableContent, .ok] {
      let answer = apiAnswer(#"{"code":"bad_password"}"#, status: status)
      #expect(authenticator.judge(answer, to: api.things) == .accepted)
    }
    let answer = apiAnswer(#"{"code":"bad_password"}"#, status: .unauthorized)
    guard case .doubtful(_, false) = authenticator.judge(answer, to: api.things) else {
      Issue.record("not doubtful")
      return
    }
  }

  @Test("DIA-kept-token: a renewal token that can't be used, or is empty, costs not the token that came with it")
  func keptToken() async throws {
    for refresh in ["\"\"", "5", #""a\nb""#] {
      let (api, authenticator, session) = try await signedIn { _ in }
      api.answer("POST /refresh", apiAnswer(#"{"access":"planted-token-5","expires_in":60,"refresh":\#(refresh)}"#))
      let grant = try await renewed(authenticator, session, api)
      #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-5")
      #expect(grant.proof.tokens["renewalToken"] == session.proof.tokens["renewalToken"])
      #expect(grant.expiresAt == api.clock.now.addingTimeInterval(60))
    }
    let api = TokenAPI()
    api.answer("POST /login", apiAnswer(#"{"access":"planted-token-1","refresh":""}"#))
    let grant = try await api.authenticator { $0.who = nil }.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.tokens["renewalToken"] == nil, "an empty one is none")
  }

  @Test("DIA-cookie-renewal: a renewal that takes the session's cookies away is none, and the old ones stay")
  func cookiesTaken() async throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator { dialect in
      DialectRenewalTests.slide(&dialect)
      dialect.who = nil
      dialect.proof = DialectProof(.cookies(["sid"]))
    }
    func answer(_ cookie: String) -> TransportResponse {
      apiAnswer(#"{"access":"planted-token-1"}"#, headerFields: [.setCookie: cookie])
    }
    api.answer("POST /login", answer("sid=s1; Path=/"))
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    let session = grant.session(authenticator)
    api.answer("POST /slide", answer("sid=; Path=/; Max-Age=0"))
    let error = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(error?.code == .unreadableAnswer && error?.isTransient == true)
    api.answer("POST /slide", answer("sid=s2; Path=/"))
    let newer = try await renewed(authenticator, session, api)
    #expect(newer.proof.cookies.cookies.map { $0.value.reveal() } == ["s2"])
  }

  @Test("DIA-cancelled: a sign-in that is cancelled at a question gives back what the server gave before")
  func cancelled() async throws {
    let api = TokenAPI()
    api.answer("GET /me", .json(["mfa": "totp", "handle": "planted-handle"]))
    let authenticator = try api.authenticator(answering: DialectQuestions { _ in throw CancellationError() }) {
      dialect in
      dialect.who = nil
      dialect.signIn.append(
        DialectCall(
          .get, "/me", carriesProof: true,
          meanings: [
            DialectMeaning(
              when: .pointer("/mfa", .exists(true)),
              .secondFactor(DialectDemand(.read(["/mfa"]), handle: ["/handle"], title: "The code")))
          ]))
    }
    await #expect(throws: CancellationError.self) {
      try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    }
    #expect(api.state.withLock { $0.ended } == ["planted-token-1"])
  }

  @Test("DIA-end-refused: a token that is over is no end of a session that has something to renew it with")
  func endRefused() async throws {
    for (hasRefresh, isNamed, isEnd) in [(true, false, false), (false, false, true), (true, true, true)] {
      let api = TokenAPI()
      api.state.withLock { $0.hasRefreshTokens = hasRefresh }
      let authenticator = try api.authenticator { dialect in
        dialect.who = nil
        if isNamed { dialect.end = DialectCall(.post, "/logout", body: .json(["refresh": "{renewalToken}"])) }
      }
      let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
      api.answer("POST /logout", .status(.unauthorized))
      let error = await failure { try await authenticator.end(grant.session(authenticator), in: api.context) }
      #expect((error == nil) == isEnd, "\(hasRefresh) \(isNamed): \(error?.message ?? "")")
    }
  }

  @Test("DIA-html-json: JSON is read that a server calls a page, and a page is none")
  func jsonAsPage() async throws {
    let api = TokenAPI()
    api.answer("POST /login", apiAnswer(#"{"access":"planted-token-1"}"#, "text/html; charset=utf-8"))
    let authenticator = try api.authenticator {
      $0.who = nil
      $0.signIn[0].meanings = []
    }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-1")
    api.answer("POST /login", apiAnswer(#"{"error":"no"}"#, "text/html", status: .unauthorized))
    let refused = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(refused?.code == .invalidCredentials)
    api.answer("POST /login", apiAnswer("<p>no</p>", "text/html", status: .unauthorized))
    let page = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(page?.code == .unexpectedResponse)
  }
}
