internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension DialectAuthenticator {
  /// Renews the session the way that the document says: with its renewal token, with its token, or by using its cookies. A session that is
  /// renewed by a credential, or that has nothing to be renewed with, needs one.
  ///
  /// What a lost answer means is the document's to say (`afterLostAnswer`). A server that repeats its answer is asked again; at one that
  /// doesn't, the token may be spent, and the error says so. Neither ends the session: the request may have never arrived.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `renewalRefused` and `anotherUser` are terminal, by a mark in the answer alone.
  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    if slides { return try await prolonged(session, context) }
    guard let site = renewalSite(session.proof) else { return .needsCredential }
    let values = values(of: session)
    var talk = DialectTalk(context, values, session.proof.cookies)
    let answer: DialectAnswer
    do {
      answer = try await ask(site, &talk)
    } catch let error as OstiaryError {
      throw lostAnswer(error, site)
    }
    if !answer.response.head.saysUnavailable, let meaning = answer.meaning(in: dialect) {
      let place = DialectPlace(inDocument: meaning.place, status: answer.response.status.code)
      switch meaning.meaning.meaning {
      case .expired, .endedForGood, .wrongPassword:
        // What renews is over by the server's word.
        if meaning.isMarked { throw TerminalAnswer.renewalRefused.error(answer, place, wordsOnLoss) }
        throw await unclear(answer, session, values, context)
      case .tryLater(let expiries): throw later(answer, expiries, place, values)
      case .lockedUntil(let expiries): throw lockedForNow(answer, expiries, place, values)
      case .notThisSession, .secondFactor, .acceptTerms, .passwordChange:
        throw unexpected(answer, "The server does not renew the session now.", .unexpectedResponse, place)
      }
    }
    guard answer.isSuccess, !answer.isForeignPage else {
      if [400, 401].contains(answer.response.status.code), !answer.isPage {
        throw await unclear(answer, session, values, context)
      }
      throw failure(answer, values)
    }
    return .renewed(try renewed(session, answer, talk))
  }

  /// The call that renews a session; `nil` where there is none, or the session has not what it shows.
  private func renewalSite(_ proof: Proof) -> DialectCallSite? {
    guard let site = dialect.renewSite else { return nil }
    switch dialect.renewal.by {
    case .none, .credential, .cookies: return nil
    case .token:
      guard isCookieProof || proof.tokens[Self.token].map({ !$0.isEmpty }) == true else { return nil }
    case .renewalToken:
      // A server may give none; where the cookies renew, no template names it.
      guard !site.call.names.contains("renewalToken") || proof.tokens[Self.renewalToken].map({ !$0.isEmpty }) == true
      else { return nil }
    }
    return site
  }

  private func renewed(_ session: Session, _ answer: DialectAnswer, _ talk: DialectTalk) throws -> SessionGrant {
    var findings: DialectFindings
    var problem: OstiaryError?
    do {
      findings = try answer.findings(talk.values)
      if let token = try replacedToken(answer) { findings.token = token }
    } catch {
      problem = error
      findings = DialectFindings()
    }
    if problem != nil, replacements.readToken == nil,
      let rest = try? answer.findings(talk.values, .allButRenewalToken), rest.token != nil
    {
      // What renews the next time can't be used, and the token that came with it can: the session lasts as long as that.
      (findings, problem) = (rest, nil)
    }
    if isCookieProof, hasSession(session.proof.cookies), !hasSession(talk.jar) {
      throw explained(
        unexpected(
          answer, "The server renewed the session, but took its cookies away.\(wordsOnLoss)", .unreadableAnswer),
        answer, talk.values)
    }
    var isWhole = findings.token != nil || isCookieProof || answer.site.call.reads.token.isEmpty
    if !isWhole || problem != nil {
      // What was shown may be spent, and the next renewal needs what came for it.
      let rest = try? answer.findings(talk.values, .renewalToken)
      guard let newer = rest?.renewalToken, newer != session.proof.tokens[Self.renewalToken] else {
        throw explained(unreadable(answer, problem), answer, talk.values)
      }
      findings = rest ?? findings
      isWhole = false
    }
    let isUnnamed = session.user.id == Session.User.unknown.id
    if let id = findings.userID, namesUser, !isUnnamed, !id.hasSameBytes(as: session.user.id) {
      throw TerminalAnswer.anotherUser.error(answer, answer.place("/reads/userID"))
    }
    var user = session.user
    if isUnnamed, let id = findings.userID { user.id = id }
    user.displayName = findings.userName ?? user.displayName
    var values = talk.values
    values.take(findings)
    let proof = self.proof(findings, values, talk.jar, over: session.proof)
    let grant = SessionGrant(
      user: user, proof: proof, expiresAt: isWhole ? findings.expiresAt : session.expiresAt,
      clockSkew: answer.clockSkew, attributes: session.attributes.merging(findings.attributes) { $1 })
    return try isWhole ? replaced(grant, answer, talk.values, .renew) : grant
  }

  /// A success of which nothing can be used. The server has acted, and what was shown may be spent.
  private func unreadable(_ answer: DialectAnswer, _ problem: OstiaryError?) -> OstiaryError {
    let reads = answer.site.call.reads.token
    let place = answer.place("/reads/token", inAnswer: reads.map(\.placeInAnswer).joined(separator: " or "))
    return unexpected(
      answer, problem?.message ?? "The server renewed the session, but its answer has no token.\(wordsOnLoss)",
      .unreadableAnswer, problem?.underlying as? DialectPlace ?? place)
  }

  /// A refusal without a mark. The server is asked about the session: it may be as good as before, or have more to say.
  private func unclear(
    _ answer: DialectAnswer, _ session: Session, _ values: DialectValues, _ context: AuthenticationContext
  ) async -> OstiaryError {
    let status = answer.response.status.code
    switch try? await word(on: session.proof, values, context) {
    case .good?:
      return explained(
        unexpected(answer, "The server refused the renewal (\(status)), but still accepts the session."), answer,
        values)
    case .refused(let error, isForGood: true)?: return error
    case .refused?, .silent?, nil:
      return explained(
        unexpected(
          answer, "The server refused the renewal (\(status)) without a mark that the dialect names.\(wordsOnLoss)",
          .unclearRefusal), answer, values)
    }
  }

  // MARK: Lost answers

  /// The error of a renewal whose answer did not come.
  private func lostAnswer(_ error: OstiaryError, _ site: DialectCallSite) -> OstiaryError {
    var error = error
    guard error.isTransient, error.requestMayHaveExecuted, error.code != .redirectRefused else { return error }
    switch dialect.renewal.afterLostAnswer {
    case .sendSameAgain:
      error.message += " The answer to the renewal was lost; the same is sent again.\(graceWords)"
      return error
    case .ask:
      return OstiaryError(
        .unreadableAnswer,
        "The answer to the renewal (“\(site.place)” of the dialect) was lost, and the server does not repeat it: what renews the session may be spent.\(graceWords)",
        advice: """
          The session is kept. If the server refuses the next renewal, sign in again; a grace at the server is the cure \
          (RFC 9700 §4.14.2).
          """,
        disposition: .transient(retryAfter: nil), underlying: error)
    }
  }

  /// What may be behind a refusal.
  private var wordsOnLoss: String {
    dialect.renewal.rotation == .never
      ? "" : " Where the answer to an earlier renewal was lost, what renews was spent with it.\(graceWords)"
  }

  private var graceWords: String {
    guard let grace = dialect.renewal.grace, grace > 0 else { return "" }
    return " The server accepts it for \(grace) seconds more."
  }
}
