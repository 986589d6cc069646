internal import Foundation

// How callers meet the shared work: who starts it, who joins it, who is told at once.
extension SessionMachine {
  mutating func needed(_ need: Need, _ caller: UInt64, _ present: StoreStamp?) {
    if case .running(let job, _) = work {
      if need == .settled, !job.need.needsServer, !session.isUnread { return wake(caller, .success(nil)) }
      waiters.append(Waiter(caller: caller, need: need, isOwner: false))
      return
    }
    switch need {
    case .settled:
      guard session.isUnread else { return wake(caller, .success(nil)) }
    case .confirm(let version):
      guard session.usable?.isProof(shownAs: version) == true else { return wake(caller, .success(nil)) }
    case .newer(let tokens, _):
      // Other work has just brought newer ones.
      if let known = session.usable, known.tokens != tokens { return wake(caller, .success(nil)) }
    case .signIn:
      // The own back-off is no reason to keep a person waiting; what the server asked for is, unless it was about one
      // account, for the credential may be another account's.
      if let pause = pause.left(at: now), pause.error.retryAfter != nil, pause.error.code != .accountLocked {
        return wake(caller, .failure(pause.error.waiting(seconds: pause.seconds)))
      }
    case .ensure(_, let failures?)
    where failures != failedSignIns.count && session.usable == nil && failedSignIns.last != nil:
      // A sign-in that failed since the request was sent was its answer, too.
      return wake(caller, .failure(failedSignIns.last ?? Self.interactionRequired(nil)))
    default: break
    }
    if need.needsServer, !need.isSignIn, let pause = pause.left(at: now) {
      return wake(caller, .failure(pause.error.waiting(seconds: pause.seconds)))
    }
    waiters.append(Waiter(caller: caller, need: need, isOwner: true))
    start(need == .settled ? .restore : need, caller, present)
  }

  private mutating func start(_ need: Need, _ owner: UInt64, _ present: StoreStamp?) {
    lastJob &+= 1
    var job = Job(id: lastJob, need: need, owner: owner)
    if case .confirm = need, let known = session.usable {
      return begin(job, .verifying) { .verify($0, known) }
    }
    // Most needs are met by what another process has put into the store; that takes no exclusive access. Where the stamp
    // says that the store has nothing new, it is not read.
    let isKnown = present != nil && present == stamp && !writing.owesContent
    if isKnown, let known = session.known, session.usable?.isFresh(at: now) != true {
      switch need {
      case .renew, .ensure:
        job.user = known.user.id
        return claim(job)
      default: break
      }
    }
    enter(job, .reading)
  }

  /// Ends the work: wakes those who have what they need or an error that is theirs, and begins anew for the others.
  mutating func finish(_ job: Job, _ result: Result<Known?, OstiaryError>) {
    work = .idle
    workTicket = nil
    actions += [.forget(job), .unschedule(.work), .unschedule(.patience)]
    if case .failure(let error) = result {
      if case .refused(let known, _) = session { session = .refused(known, error) }
      // What may pass has its own pause.
      if case .ensure = job.need, !error.isTransient { noteFailedSignIn(error) }
    }
    let all = waiters
    waiters = []
    for waiter in all {
      switch result {
      case .success where waiter.isOwner || job.need.serves(waiter.need): wake(waiter.caller, result)
      case .failure(let error)
      where waiter.isOwner || job.need.speaks(for: waiter.need)
        || (error.code == .signedOut && !waiter.need.isSignIn && waiter.need != .settled):
        if waiter.need == .settled, error.code == .notChallenged {
          needed(.settled, waiter.caller, nil)
        } else {
          wake(waiter.caller, result)
        }
      default: needed(waiter.need, waiter.caller, nil)
      }
    }
  }

  /// A caller waits no more; the work goes on.
  mutating func left(_ caller: UInt64) {
    waiters.removeAll { $0.caller == caller }
    writeWaiters.removeAll { $0.caller == caller }
    flushWaiters.removeAll { $0 == caller }
  }

  mutating func noteFailedSignIn(_ error: OstiaryError) {
    failedSignIns.count &+= 1
    failedSignIns.last = error
  }

  /// Whether a person may be waited for, or nothing has been given yet, so that ending the work loses nothing.
  var canBeCancelled: Bool {
    guard case .running(let job, let stage) = work, job.need.needsServer else { return false }
    switch stage {
    case .reading, .unclaimed, .claiming, .claimPause, .lookingAgain, .asking, .exchanging:
      return job.task != .grant && job.task != .identification
    case .storePause: return job.task != .grant
    case .retryPause: return job.task == .exchange
    case .marking, .renewing, .confirming, .verifying, .identifying, .preparing, .saving, .noting, .ending:
      return false
    }
  }

  mutating func cancelled(_ error: OstiaryError, _ cause: Cause) {
    guard canBeCancelled, let job = work.job else { return }
    tell(.failed, cause, session.known, error.message)
    if case .ensure = job.need, error.isTransient { noteFailedSignIn(error) }
    // The person has taken the sign-in back. A time that has run out is no reason to drop what the server gave.
    if cause == .declined { discardGrant() }
    finish(job, .failure(error))
  }

  /// What the server has given for this work is ended there.
  mutating func discardGrant() {
    hasGrant = false
    actions.append(.discard)
  }

  static func alreadySignedIn(_ known: Known) -> OstiaryError {
    OstiaryError(.alreadySignedIn, "\(known.user.id) is signed in.", requestMayHaveExecuted: false)
  }

  static var signedOutMeanwhile: OstiaryError {
    OstiaryError(.signedOut, "The session was ended while this was under way.", requestMayHaveExecuted: false)
  }

  static func interactionRequired(_ reason: OstiaryError?) -> OstiaryError {
    OstiaryError(
      .interactionRequired, reason.map { "No user is signed in: \($0.message)" } ?? "No user is signed in.",
      requestMayHaveExecuted: false, underlying: reason)
  }
}

extension OstiaryError {
  /// The same error, saying how long to wait from now.
  func waiting(seconds: Double) -> OstiaryError {
    guard isTransient else { return self }
    var error = self
    error.disposition = .transient(retryAfter: .seconds(max(0, seconds)))
    return error
  }
}
