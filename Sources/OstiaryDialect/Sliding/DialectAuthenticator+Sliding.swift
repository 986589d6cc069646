package import Foundation
package import OstiaryCore

// Sessions of cookies alone that go on by being used. The session manager takes newer cookies in, and moves the end with each answer.
extension DialectAuthenticator: AuthenticatorWithSlidingSession {
  package var slides: Bool { dialect.renewal.by == .cookies }

  /// By the cookies: as long as one of them is good, for which of them the server needs is not known. By the document: so long as the server
  /// keeps a session that is not used. The earlier counts.
  package func secondsLeft(of proof: Proof, at moment: Moment) -> TimeInterval? {
    let idle = dialect.renewal.idle.map { TimeInterval($0) }
    var last: TimeInterval?
    for cookie in sessionCookies(proof.cookies) {
      // One without a date lasts as long as the server says.
      guard let left = cookie.secondsLeft(at: moment) else { return idle }
      last = max(last ?? left, left)
    }
    guard let last else { return idle }
    return idle.map { min($0, last) } ?? last
  }

  /// A grant with the end that its cookies have.
  func slid(_ grant: SessionGrant, at now: Date) -> SessionGrant {
    guard slides, let left = secondsLeft(of: grant.proof, at: Moment(wall: now)), left > 0 else { return grant }
    var grant = grant
    grant.expiresAt = now.addingTimeInterval(left)
    return grant
  }

  /// Asks the server whether a session that is over by its date goes on: that prolongs it, and another program may have done so before.
  /// Where the server says no, the session is used until a request is refused, or needs a credential.
  func prolonged(_ session: Session, _ context: AuthenticationContext) async throws -> Renewal {
    let values = values(of: session)
    switch try await word(on: session.proof, values, context) {
    case .good(let findings, let answer)?:
      let isUnnamed = session.user.id == Session.User.unknown.id
      if let id = findings.userID, namesUser, !isUnnamed, !id.hasSameBytes(as: session.user.id) {
        throw TerminalAnswer.anotherUser.error(answer, answer.place("/reads/userID"))
      }
      guard hasSession(answer.jar) else {
        throw explained(
          unexpected(answer, "The server still accepts the session, but took its cookies away."), answer, values)
      }
      var proof = session.proof
      proof.cookies = answer.jar
      // Without a date the end that was known is no end: the server has just said so.
      let grant = SessionGrant(
        user: session.user, proof: proof, clockSkew: answer.clockSkew,
        attributes: session.attributes.merging(findings.attributes) { $1 })
      return .renewed(try replaced(grant, answer, values, answer.site.step))
    case .refused(let error, isForGood: true)?: throw error
    case .silent(let error)?: throw error
    case .refused?, nil: return .needsCredential
    }
  }
}
