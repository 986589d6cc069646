internal import Foundation
internal import HTTPTypes
public import OstiaryCore

// What the server is asked about a session that there is.
extension DialectAuthenticator {
  /// What an answer says of a session that was shown.
  enum Word: Sendable {
    case good(DialectFindings, DialectAnswer)
    /// The server refused it. `isForGood` where a mark says that nothing renews it.
    case refused(OstiaryError, isForGood: Bool)
    /// The answer says nothing of the session.
    case silent(OstiaryError)
  }

  /// Asks the server about a session, with the call that the document has for it.
  /// - Returns: `nil` where the document has no such call.
  func word(on proof: Proof, _ values: DialectValues, _ context: AuthenticationContext) async throws -> Word? {
    guard let site = dialect.verifySite ?? dialect.whoSite else { return nil }
    return try await word(site, proof, values, context)
  }

  func word(
    _ site: DialectCallSite, _ proof: Proof, _ values: DialectValues, _ context: AuthenticationContext
  ) async throws -> Word {
    var talk = DialectTalk(context, values, proof.cookies)
    let answer = try await ask(site, &talk)
    if !answer.response.head.saysUnavailable, let meaning = answer.meaning(in: dialect) {
      let place = DialectPlace(inDocument: meaning.place, status: answer.response.status.code)
      switch meaning.meaning.meaning {
      case .expired, .wrongPassword:
        return .refused(TerminalAnswer.sessionOver.error(answer, place), isForGood: false)
      case .endedForGood:
        return .refused(TerminalAnswer.sessionOver.error(answer, place), isForGood: meaning.isMarked)
      case .tryLater(let expiries): return .silent(later(answer, expiries, place, values))
      case .lockedUntil(let expiries): return .silent(lockedForNow(answer, expiries, place, values))
      case .notThisSession, .secondFactor, .acceptTerms, .passwordChange:
        return .silent(
          unexpected(answer, "The server's answer says nothing of the session.", .unexpectedResponse, place))
      }
    }
    if answer.isSuccess, !answer.isForeignPage {
      do {
        return .good(try answer.findings(values), answer)
      } catch {
        return .silent(explained(error, answer, values))
      }
    }
    // The call that is there to be asked: its 401 is the second word, after the one that was doubted.
    if answer.response.status == .unauthorized, !answer.isPage {
      return .refused(TerminalAnswer.sessionOver.error(answer, answer.place()), isForGood: false)
    }
    return .silent(failure(answer, values))
  }

  /// Asks the document's `verify`, or `who` where there is no other.
  /// - Throws: ``/OstiaryCore/OstiaryError`` where the server can't tell: `nothingToAsk` for a document without such a call.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let word = try await self.word(on: session.proof, values(of: session), context) else {
      throw OstiaryError(
        .nothingToAsk, "The dialect has no call that could be asked about the session.",
        advice: "Add “verify” or “who” to the dialect.", requestMayHaveExecuted: false)
    }
    switch word {
    case .refused(let error, _): return .invalid(reason: error.message)
    case .silent(let error): throw error
    case .good(let findings, let answer):
      if let id = findings.userID, namesUser, !isUnnamed(session), !id.hasSameBytes(as: session.user.id) {
        return .invalid(reason: TerminalAnswer.anotherUser.reason)
      }
      return .valid(attributes: try attributes(findings, answer, session))
    }
  }

  /// Whether the session's user is not the one that the server would name: the document names none at the sign-in.
  private func isUnnamed(_ session: Session) -> Bool { session.user.id == Session.User.unknown.id }

  private func attributes(
    _ findings: DialectFindings, _ answer: DialectAnswer, _ session: Session
  ) throws -> [String: JSONValue]? {
    let merged = session.attributes.merging(findings.attributes) { $1 }
    guard replacements.grant != nil else { return findings.attributes.isEmpty ? nil : merged }
    let grant = SessionGrant(
      user: Session.User(
        id: findings.userID ?? session.user.id, displayName: findings.userName ?? session.user.displayName),
      proof: session.proof, expiresAt: session.expiresAt, clockSkew: session.clockSkew, attributes: merged)
    return try replaced(grant, answer, values(of: session), answer.site.step).attributes
  }

  // MARK: Whose it is

  /// Asks the document's `who` whose the new session is: the second step of a sign-in. When it fails, the manager keeps what the server
  /// has given, and repeats only this step. A sign-in that was interrupted after the server had given a token goes on here.
  /// - Throws: ``/OstiaryCore/OstiaryError``; terminal only by a mark that the document names.
  public func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    if let finished = try await finished(grant, context) { return try await identify(finished, in: context) }
    guard grant.needsIdentification, let site = dialect.whoSite else { return grant }
    let values = values(of: grant.proof, grant.user)
    switch try await word(site, grant.proof, values, context) {
    case .good(let findings, let answer): return try identified(grant, findings, answer, values)
    case .refused(let error, let isForGood):
      if isForGood { throw error }
      throw OstiaryError(
        .dialectRefused,
        "The server refused the new session, without a mark that says that it is over. \(error.message)",
        advice: "Check what the proof and “/who” of the dialect send.", disposition: .misuse,
        underlying: error.underlying)
    case .silent(let error): throw error
    }
  }

  private func identified(
    _ grant: SessionGrant, _ findings: DialectFindings, _ answer: DialectAnswer, _ values: DialectValues
  ) throws -> SessionGrant {
    guard let id = findings.userID else {
      let reads = answer.site.call.reads.userID
      let place = answer.place(
        "/reads/userID", inAnswer: reads.isEmpty ? nil : reads.map(\.placeInAnswer).joined(separator: " or "))
      // A document whose `who` names no user asks for the name or the attributes alone.
      guard !reads.isEmpty else {
        return try replaced(known(grant, findings, answer), answer, values, answer.site.step)
      }
      throw explained(
        unexpected(answer, "The server did not say whose the session is.", .unexpectedResponse, place), answer, values)
    }
    var identified = known(grant, findings, answer)
    identified.user = Session.User(id: id, displayName: findings.userName ?? grant.user.displayName)
    return try replaced(identified, answer, values, answer.site.step)
  }

  private func known(_ grant: SessionGrant, _ findings: DialectFindings, _ answer: DialectAnswer) -> SessionGrant {
    var grant = grant
    grant.proof.cookies = answer.jar
    grant.user.displayName = findings.userName ?? grant.user.displayName
    grant.attributes.merge(findings.attributes) { $1 }
    for (name, value) in findings.values where keptNames.contains(name) {
      grant.proof.tokens[TokenName.value(name)] = value
    }
    grant.needsIdentification = false
    return grant
  }

  // MARK: What comes from elsewhere

  /// Takes over a token, or cookies, after the server was asked about them.
  func takeOver(_ proof: Proof, _ context: AuthenticationContext) async throws -> SessionGrant {
    let hasCookies = isCookieProof && hasSession(proof.cookies)
    if let token = proof.tokens[Self.token] {
      guard DialectAnswer.problem(ofToken: .string(token.reveal())) == nil else {
        throw OstiaryError(
          .invalidInput, "The token has characters that no token has.", advice: "Check the token.",
          requestMayHaveExecuted: false)
      }
    } else if !hasCookies {
      return try await takeOverRenewalToken(proof, context)
    }
    guard let site = dialect.whoSite ?? dialect.verifySite else {
      throw Self.unsupported("The dialect has no call that could be asked about a token from elsewhere.")
    }
    let values = values(of: proof, nil)
    switch try await word(site, proof, values, context) {
    case .good(let findings, let answer):
      let grant = SessionGrant(
        user: .unknown, proof: proof, expiresAt: findings.expiresAt, clockSkew: answer.clockSkew)
      return try identified(grant, findings, answer, values)
    case .refused(let error, _):
      throw OstiaryError(
        .invalidCredentials, TerminalAnswer.tokenRefused.reason, advice: "Sign in again where it came from.",
        disposition: .terminal, underlying: error.underlying)
    case .silent(let error): throw error
    }
  }

  private func takeOverRenewalToken(
    _ proof: Proof, _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    guard dialect.renewal.by == .renewalToken, let token = proof.tokens[Self.renewalToken], !token.isEmpty else {
      throw Self.unsupported("The proof has no token that the dialect knows.")
    }
    let handed = SessionGrant(user: .unknown, proof: proof)
    let session = Session(
      kind: kind, server: server, version: ProofVersion(), grant: handed, issuedAt: context.clock.now)
    guard case .renewed(var grant) = try await renew(session, in: context) else {
      throw Self.unsupported("The dialect has no call that renews a session.")
    }
    grant.needsIdentification = dialect.who != nil && grant.user.id == Session.User.unknown.id
    return grant
  }

  // MARK: The end

  /// Tells the server that the session is over, where the document has a call for it. A session that the server does not know any more is
  /// over, too.
  /// - Throws: ``/OstiaryCore/OstiaryError`` where the server was not told, or refused.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    guard let site = dialect.endSite else { return }
    let values = values(of: session)
    switch try await word(site, session.proof, values, context) {
    case .good: return
    case .silent(let error): throw error
    case .refused(_, let isForGood):
      // The token that was shown may be over, and what renews the session live on. That is no end.
      let lives = dialect.renewal.by == .renewalToken && session.proof.tokens[Self.renewalToken]?.isEmpty == false
      guard lives, site.call.carriesProof ?? true, !isForGood, !site.call.names.contains("renewalToken") else { return }
      throw OstiaryError(
        .unexpectedResponse,
        "The server did not end the session: it refused the token, and what renews the session may still be good.",
        advice: "End it at the server, or wait until it runs out.", disposition: .transient(retryAfter: nil))
    }
  }

  /// Shows the server the old proof, where the document has a call for it.
  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    guard dialect.end != nil else {
      return .localOnly(reason: "the dialect has no call that ends a session; it runs out by itself")
    }
    guard dialect.verify != nil || dialect.who != nil else {
      return .localOnly(reason: "the dialect has no call that could be asked about the session afterwards")
    }
    return await confirmEndByProof(of: session, in: context)
  }
}
