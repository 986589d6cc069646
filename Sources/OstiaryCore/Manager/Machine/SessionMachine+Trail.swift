internal import Foundation

// What is known of renewals that have brought nothing, here and in the next process.
extension SessionMachine {
  /// A renewal of the known session begins. What is written before it says so.
  mutating func beginTrail() -> Known? {
    guard var known = session.known else { return nil }
    var trail = known.trail ?? RenewalTrail()
    trail.begin(by: settings.writer, at: now.wall)
    known.trail = trail
    replace(known)
    return known
  }

  /// The renewal that had begun has ended without newer proof.
  mutating func changeTrail(of base: Known, _ change: (inout RenewalTrail) -> Void) {
    guard var known = session.known, known.lineage == base.lineage, known.tokens == base.tokens,
      var trail = known.trail, trail.begun?.writer == settings.writer
    else { return }
    change(&trail)
    known.trail = trail.isEmpty ? nil : trail
    replace(known)
  }

  /// Notes what a failure says of the renewal, and adds to a refusal what is known to be behind it.
  mutating func noteTrail(_ failure: inout Failure, of base: Known) {
    let earlier = session.known.flatMap { $0.tokens == base.tokens ? $0.trail : nil }
    let (error, date) = (failure.error, now.wall)
    let isOwn = !failure.isLowerLayer
    let isUnclear = isOwn && error.code == .unclearRefusal
    changeTrail(of: base) { trail in
      if isUnclear {
        trail.refuse(at: date)
      } else if isOwn, error.isLostAnswer || error.isUnreadAnswer {
        trail.lose(at: date)
      } else {
        trail.end()
      }
    }
    guard isUnclear || (isOwn && error.disposition == .terminal && error.code != .signedOut) else { return }
    if let explanation = earlier?.explanation { failure.error.message += " " + explanation }
    if isUnclear, let repetition = session.known?.trail?.repetition { failure.error.message += " " + repetition }
  }

  /// Whether the server has refused to renew so often that only the user can help.
  var isRefusedForGood: Bool { session.known?.trail?.isRefusedForGood(at: now.wall) == true }

  /// Takes over what the store says of renewals of the same proof, unless what is known here is newer.
  mutating func takeTrail(of found: Known) {
    guard var known = session.known, found.tokens == known.tokens, found.trail != known.trail,
      writing.debt?.isTrail != true
    else { return }
    known.trail = found.trail
    replace(known)
  }

  /// Ends a renewal that has failed. What became of it is written before its callers are told, for their program may end then.
  /// - Parameter asks: whether the user is asked next.
  mutating func endRenewal(_ job: Job, _ error: OstiaryError, asks: Bool = false) {
    if let known = session.known, known.lineage == stored.lineage, !stored.isEnded, known.trail != stored.trail {
      owe { $0.isTrail = true }
      if writing.isDue { return enter(job, .noting(error, asks: asks)) }
    }
    goOn(job, error, asks: asks)
  }

  /// Goes on where what became of a renewal is written, or can't be now.
  mutating func endNoting() {
    guard case .running(let job, .noting(let error, let asks)) = work else { return }
    guard !writing.isDue || session.known == nil else { return }
    goOn(job, error, asks: asks)
  }

  private mutating func goOn(_ job: Job, _ error: OstiaryError, asks: Bool) {
    guard asks else { return failRenewal(job, error) }
    // Another process may have stored newer proof while it was written.
    if let result = found(job) { return finish(job, result) }
    needCredential(job, error)
  }

  /// The server does not renew the session, and does not say why. The user is asked, and the session is kept until there is another.
  static func notRenewed(_ reason: OstiaryError) -> OstiaryError {
    OstiaryError(
      .interactionRequired, "The session can't be renewed; it is kept until there is a new one. \(reason.message)",
      advice: "Sign in again; the session is kept until then.", requestMayHaveExecuted: false, underlying: reason)
  }
}

extension OstiaryError {
  /// Whether the server may have acted and its answer did not come. Of an error that explains what that means it is the one behind it.
  var isLostAnswer: Bool {
    switch code {
    case .connectionLost, .timedOut: requestMayHaveExecuted
    case .unreadableAnswer: (underlying as? OstiaryError)?.isLostAnswer ?? false
    default: false
    }
  }

  /// Whether the server may have acted and nothing could be read of its answer.
  fileprivate var isUnreadAnswer: Bool {
    switch code {
    case .unreadableAnswer, .malformedResponse, .responseTooLarge: requestMayHaveExecuted
    default: false
    }
  }
}
