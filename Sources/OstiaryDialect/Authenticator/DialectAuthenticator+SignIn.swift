internal import Foundation
internal import HTTPTypes
internal import Logging
public import OstiaryCore

extension DialectAuthenticator {
  /// Signs in.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidInput` before anything is sent, for a user name or a password that is empty;
  ///   `invalidCredentials`, `accountLocked`, `passwordChangeNeeded` as the server's word; `dialectRefused` for an answer to which the
  ///   document gives no meaning; `questionNotAnswered` and `interactionCancelled` for a question of the server; `serverUnavailable`,
  ///   `unexpectedResponse` and the network's own errors, which say nothing about the credential.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    switch credential {
    case .password(let username, let password):
      try Self.check(username: username, password: password)
      return try await signIn(username, password, context)
    case .proof(let proof): return try await takeOver(proof, context)
    case .byHandler: return try await signInAsking(context)
    case .request: throw Self.unsupported("The dialect makes its own requests.")
    }
  }

  static func unsupported(_ message: String) -> OstiaryError {
    OstiaryError(
      .unsupportedCredential, message, advice: "Sign in with a user name and a password, or hand over a token.",
      requestMayHaveExecuted: false)
  }

  /// Whether a user name and a password can be right at all.
  private static func check(username: String, password: Secret) throws {
    guard !username.allSatisfy(\.isWhitespace) else {
      throw OstiaryError(
        .invalidInput, "The user name is empty.", advice: "Enter a user name.", requestMayHaveExecuted: false)
    }
    guard !password.isEmpty else {
      throw OstiaryError(
        .invalidInput, "The password is empty.", advice: "Enter a password.", requestMayHaveExecuted: false)
    }
  }

  /// Asks the app for user name and password, again where the server does not accept them.
  private func signInAsking(_ context: AuthenticationContext) async throws -> SessionGrant {
    guard let answer = questions.answer else {
      throw Self.unsupported("The dialect has no questions that a password could be asked with.")
    }
    var refusal: OstiaryError?
    for attempt in 1...Self.maximumPasswords {
      try Task.checkCancellation()
      let question = DialectQuestion(
        kind: DialectQuestion.password, title: dialect.title, attempt: attempt, previousError: refusal)
      guard case .password(let username, let password) = try await Self.reply(answer, question) else {
        throw Self.declined(nil)
      }
      do {
        try Self.check(username: username, password: password)
        return try await signIn(username, password, context)
      } catch let error as OstiaryError where error.code == .invalidCredentials || error.code == .invalidInput {
        refusal = error
      }
    }
    throw refusal ?? Self.declined(nil)
  }

  /// How often a person is asked for a password in one sign-in.
  private static let maximumPasswords = 3

  private func signIn(
    _ username: String, _ password: Secret, _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    warnOfPlainHTTP(context)
    var values = ownValues
    values["username"] = Secret(username)
    values["password"] = password
    if namesLineage {
      values["lineage"] = Secret(UUID().uuidString.lowercased())
    }
    var talk = DialectTalk(context, values)
    try Task.checkCancellation()
    for site in dialect.prepareSites { try await run(site, &talk) }
    // From here on the server may have begun a session: the manager ends what comes of it, where the sign-in is given up.
    try Task.checkCancellation()
    return try await runSignIn(&talk)
  }

  private func warnOfPlainHTTP(_ context: AuthenticationContext) {
    let calls = dialect.signIn + dialect.continuations.map(\.call)
    let roles = Set(calls.map { $0.server ?? dialect.mainServer })
    for role in roles.sorted() {
      guard let origin = addresses[role]?.origin, !origin.isSecure, !origin.isLoopback else { continue }
      context.logger.warning(
        "The password travels over plain http, readable on the way.", metadata: ["host": "\(origin.host)"])
    }
  }

  // MARK: One call of a sign-in

  /// Makes a call of a sign-in, and answers the questions that the server has before it is a success.
  func run(_ site: DialectCallSite, _ talk: inout DialectTalk) async throws {
    var answer = try await ask(site, &talk)
    var question: PendingQuestion?
    while true {
      switch try outcome(of: answer, &talk, isContinued: question != nil) {
      case .success: return
      case .demand(let demand, let isAcceptance, let place):
        let earlier = question
        question = try await pendingQuestion(demand, isAcceptance, place, answer, &talk)
        if let earlier, earlier.continuation == question?.continuation {
          // The same question is the answer to a code that was no good.
          question?.attempt = earlier.attempt
          question?.refusal = TerminalAnswer.wrongCode.error(answer, place)
        }
      case .codeRefused(let error): question?.refusal = error
      }
      guard question != nil else { throw failure(answer, talk.values) }
      talk.rounds += 1
      question?.attempt += 1
      if let question {
        guard talk.rounds <= max(1, maximumRounds) else {
          throw TerminalAnswer.codeRefused.error(answer, question.place, " It asked \(talk.rounds) times.")
        }
        answer = try await self.answer(question, after: answer, &talk)
      }
    }
  }

  /// What an answer to a call of a sign-in comes to.
  enum Outcome {
    case success
    case demand(DialectDemand, isAcceptance: Bool, DialectPlace)
    /// The answer to the server's question was no good: it is asked again.
    case codeRefused(OstiaryError)
  }

  func outcome(
    of answer: DialectAnswer, _ talk: inout DialectTalk, isContinued: Bool
  ) throws -> Outcome {
    // A page where something else is read may be a host's in between: its status alone is no word of the server's. What an overloaded or
    // failing server says is no word about a password, either; when to come again it may say.
    let isBusy = answer.response.head.saysUnavailable
    if let meaning = answer.meaning(in: dialect), meaning.isMarked || !answer.isForeignPage,
      !isBusy || meaning.meaning.meaning.saysWhen
    {
      let place = DialectPlace(inDocument: meaning.place, status: answer.response.status.code)
      switch meaning.meaning.meaning {
      case .wrongPassword:
        if isContinued { return .codeRefused(TerminalAnswer.wrongCode.error(answer, place)) }
        throw TerminalAnswer.wrongPassword.error(answer, place)
      case .lockedUntil(let expiries): throw locked(answer, expiries, place, talk.values)
      case .secondFactor(let demand):
        try takeDemand(answer, &talk)
        return .demand(demand, isAcceptance: false, place)
      case .acceptTerms(let demand):
        try takeDemand(answer, &talk)
        return .demand(demand, isAcceptance: true, place)
      case .passwordChange: throw TerminalAnswer.passwordChange.error(answer, place)
      case .tryLater(let expiries): throw later(answer, expiries, place, talk.values)
      // No session was shown: the answer has no meaning that is about one.
      case .expired, .endedForGood, .notThisSession: break
      }
    }
    if answer.isSuccess, !answer.isForeignPage {
      try take(answer, &talk)
      return .success
    }
    if isContinued, answer.response.status == .unauthorized, !answer.isForeignPage {
      return .codeRefused(TerminalAnswer.wrongCode.error(answer, answer.place()))
    }
    throw failure(answer, talk.values)
  }

  /// Keeps what a success says.
  func take(_ answer: DialectAnswer, _ talk: inout DialectTalk) throws {
    let findings: DialectFindings
    do {
      var read = try answer.findings(talk.values)
      if let token = try replacedToken(answer) { read.token = token }
      findings = read
    } catch {
      throw explained(error, answer, talk.values)
    }
    talk.findings.merge(findings)
    talk.values.take(findings)
    talk.last = answer
  }

  /// The token that a closure of the app's reads.
  /// - Throws: `unusableToken` for one that no request can carry.
  func replacedToken(_ answer: DialectAnswer) throws(OstiaryError) -> Secret? {
    guard let token = replacements.readToken?(answer.response, answer.site.step) else { return nil }
    if let problem = DialectAnswer.problem(ofToken: .string(token.reveal())) {
      throw OstiaryError(
        .unusableToken, "The app read a token that \(problem).", advice: "Check the closure that reads it.",
        disposition: .misuse, request: answer.request, underlying: answer.place("/reads/token"))
    }
    return token
  }

  /// Keeps what an answer says that demands more.
  private func takeDemand(_ answer: DialectAnswer, _ talk: inout DialectTalk) throws {
    let findings = try answer.findings(talk.values, .allButTokens)
    talk.findings.merge(findings)
    talk.values.take(findings)
  }

  /// What becomes a session.
  func grant(_ talk: DialectTalk, _ step: DialectStep) throws -> SessionGrant {
    guard let last = talk.last else {
      throw OstiaryError(.internalError, "The dialect has no call that signs in.", requestMayHaveExecuted: false)
    }
    let findings = talk.findings
    let id = findings.userID ?? talk.values["username"]?.reveal()
    let user = id.map { Session.User(id: $0, displayName: findings.userName) } ?? .unknown
    let proof = self.proof(findings, talk.values, talk.jar, over: nil)
    try checkProof(proof, user, last, talk)
    var grant = SessionGrant(
      user: user, proof: proof, expiresAt: findings.expiresAt, clockSkew: last.clockSkew,
      attributes: findings.attributes)
    // Whose the session is, is another question: what the sign-in used up must not be lost with a look-up that fails.
    grant.needsIdentification = findings.userID == nil && dialect.who != nil
    return try replaced(grant, last, talk.values, step)
  }

  /// The grant as the app's closure changes it. An error of the closure's passes to the one that explains.
  func replaced(
    _ grant: SessionGrant, _ answer: DialectAnswer, _ values: DialectValues, _ step: DialectStep
  ) throws -> SessionGrant {
    let grant = slid(grant, at: answer.now)
    guard let change = replacements.grant else { return grant }
    do {
      return try change(grant, answer.json, step)
    } catch let error as OstiaryError {
      throw explained(error, answer, values)
    }
  }

  /// Whether requests can carry what the server gave.
  private func checkProof(
    _ proof: Proof, _ user: Session.User, _ answer: DialectAnswer, _ talk: DialectTalk
  ) throws {
    if isCookieProof {
      guard hasSession(proof.cookies) else {
        throw explained(
          unexpected(answer, "The server accepted the sign-in, but set none of the cookies that the dialect names."),
          answer, talk.values)
      }
      return
    }
    do {
      // Of a proof that is templates, the clock and the cookies mean nothing.
      _ = try proofParts(values(of: proof, user), proof.cookies, at: answer.now)
    } catch {
      var place = answer.place("/reads/token")
      for site in dialect.signInSites where !site.call.reads.token.isEmpty {
        place = DialectPlace(
          inDocument: "\(site.place)/reads/token",
          inAnswer: site.call.reads.token.map(\.placeInAnswer).joined(separator: " or "),
          status: answer.response.status.code)
      }
      throw explained(
        OstiaryError(
          .unexpectedResponse,
          "The server accepted the sign-in, but its answer has not what requests carry: \(error.message) The dialect reads the token by “\(place.inDocument)” from \(place.inAnswer ?? "no place").",
          advice: "Check the places that the dialect names.", disposition: .misuse, request: answer.request,
          underlying: place),
        answer, talk.values)
    }
  }
}
