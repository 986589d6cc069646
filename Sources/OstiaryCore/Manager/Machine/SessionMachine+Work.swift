internal import Foundation

// The shared work: reading, exclusive access, what comes before an exchange with the server.
extension SessionMachine {
  // MARK: Readings

  mutating func storeRead(_ ticket: Ticket, _ content: StoreContent<Prepared>) {
    guard let operation, operation.ticket == ticket else { return }
    self.operation = nil
    switch operation.kind {
    case .endingRead: endingRead(content)
    case .writingRead: settleApart(content)
    case .workRead(let id):
      guard case .running(var job, let stage) = work, job.id == id else { return noteLate(content) }
      job.storeFailures = 0
      job.waitingSince = nil
      workRead(job, stage, content)
    case .landing, .mark, .debt, .ended: break
    }
  }

  /// A reading that no work waits for any more.
  private mutating func noteLate(_ content: StoreContent<Prepared>) {
    if session.known != nil { settleApart(content) }
  }

  /// Takes over what the store holds while the work is elsewhere. A renewal of a session that has ended is of no use, nor is
  /// what would land on another sign-in than it began from.
  mutating func settleApart(_ content: StoreContent<Prepared>) {
    let hadGrant = hasGrant
    let settlement = settle(content)
    guard case .running(let job, let stage) = work else { return }
    if let landing = stage.landing, let known = session.known, known.lineage != landing.base?.lineage {
      return overtaken(job)
    }
    switch settlement {
    case .same, .adopted: break
    case .endedElsewhere, .anotherUser:
      // What lands late must not take the place of the sign-in that is there instead.
      if signOut != nil, stage.landing != nil { return overtaken(job) }
      // A grant whose user is being asked for has gone with the session, or it is this job's own.
      guard stage.needsAccess, job.task == .renewal || (job.task == .identification && hadGrant && !hasGrant) else {
        return
      }
      overtaken(job)
    }
  }

  /// Ends work whose result is of no use any more. What the server has given for it is ended there.
  mutating func overtaken(_ job: Job) {
    discardGrant()
    finish(job, found(job) ?? .failure(Self.signedOutMeanwhile))
  }

  private mutating func workRead(_ job: Job, _ stage: Stage<Prepared>, _ content: StoreContent<Prepared>) {
    switch stage {
    case .reading: settled(job, settle(content), content) { $0.proceed($1) }
    case .lookingAgain: settled(job, settle(content), content) { $0.proceedAlone($1, content) }
    case .unclaimed(let error): settled(job, settle(content), content) { $0.finish($1, .failure(error)) }
    case .confirming(let error, let refused): confirmed(job, error, refused, content)
    case .saving(let known, let landing, true): landAgain(job, known, landing, content)
    default: enter(job, stage)
    }
  }

  /// Ends the work if the store had what it needs or says that there is nothing to do any more; else goes on.
  private mutating func settled(
    _ job: Job, _ settlement: Settlement, _ content: StoreContent<Prepared>,
    _ goOn: (inout SessionMachine, Job) -> Void
  ) {
    switch settlement {
    case .endedElsewhere, .anotherUser:
      // A caller waits here for another user's session; nothing of theirs is done in this one's name.
      if !job.need.isSignIn {
        if settlement == .anotherUser, hasGrant { discardGrant() }
        return finish(job, .failure(Self.signedOutMeanwhile))
      }
    case .same, .adopted: break
    }
    guard let result = found(job) else { return goOn(&self, job) }
    if job.task == .grant || hasGrant { discardGrant() }
    finish(job, result)
  }

  /// What the work's caller is told because there is a session to go on with.
  func found(_ job: Job) -> Result<Known?, OstiaryError>? {
    if case .replace(let lineage) = job.need {
      // Nothing else than the sign-in that the stronger one is of is replaced by it.
      return session.known?.lineage == lineage ? nil : .failure(Self.signedOutMeanwhile)
    }
    guard let known = session.usable else { return nil }
    if case .newer(let tokens, let part) = job.need {
      // Whether what another process has brought is what is wanted is the caller's to say. A part needs nothing of the rest.
      return known.tokens != tokens && (part != nil || known.isFresh(at: now)) ? .success(nil) : nil
    }
    guard known.isFresh(at: now) else { return nil }
    return job.need.isSignIn ? .failure(Self.alreadySignedIn(known)) : .success(nil)
  }

  /// After the store had nothing that does, without exclusive access.
  private mutating func proceed(_ job: Job) {
    var job = job
    switch job.need {
    case .restore, .look, .settled, .confirm:
      settleAbsence()
      finish(job, .success(nil))
    case .signIn(let byHandler):
      settleAbsence()
      if byHandler {
        exchange(job)
      } else {
        job.task = .exchange
        claim(job)
      }
    case .replace:
      job.task = .exchange
      claim(job)
    case .renew, .newer, .ensure:
      if let known = session.known {
        job.user = known.user.id
        claim(job)
      } else {
        settleAbsence()
        needCredential(job, nil)
      }
    }
  }

  mutating func storeUnavailable(_ ticket: Ticket, _ error: OstiaryError) {
    guard let operation, operation.ticket == ticket else { return }
    self.operation = nil
    // What was seen before an outage says nothing of a claim's writer: it is first when the store is back.
    seenClaim = nil
    switch operation.kind {
    case .endingRead: endingUnreadable(error)
    case .writingRead: debtFailed(error)
    case .workRead(let id):
      guard case .running(let job, let stage) = work, job.id == id else { return }
      workUnreadable(job, stage, error)
    case .landing, .mark, .debt, .ended: break
    }
  }

  private mutating func workUnreadable(_ job: Job, _ stage: Stage<Prepared>, _ error: OstiaryError) {
    switch stage {
    case .reading where job.need == .look: finish(job, .success(nil))
    case .reading, .lookingAgain: pauseReading(job, stage, error)
    case .unclaimed(let reason): finish(job, .failure(reason))
    // Before a session is ended because of a refusal, the store is read; until it can be, the session is kept.
    case .confirming: failRenewal(job, error)
    case .saving(let known, let landing, _): landUnsaved(job, known, landing, error)
    default: enter(job, stage)
    }
  }

  /// Gives an unavailable store some time.
  private mutating func pauseReading(_ job: Job, _ stage: Stage<Prepared>, _ error: OstiaryError) {
    var job = job
    if job.waitingSince == nil { job.waitingSince = now }
    let waited = job.waitingSince.map { now.seconds(since: $0) } ?? 0
    let isWorthIt = error.isTransient && waited >= 0 && waited < settings.storePatience.seconds
    guard isWorthIt || job.storeFailures < settings.retry.attempts else {
      if session.isUnread { session = .unreadable(error) }
      tell(.failed, .storeUnavailable, session.known, error.message)
      // A person has answered; what the server gave is kept in memory and written later.
      if job.task == .grant { return prepareGrant(job) }
      if job.task == .renewal, session.usable != nil { return failRenewal(job, error) }
      return finish(job, .failure(error))
    }
    job.storeFailures += 1
    let wait = delay(afterFailures: job.storeFailures, asked: error.retryAfter)
    // A person who unlocks a device expects to go on at once.
    schedule(
      job, .storePause(held: stage.needsAccess), isWorthIt ? min(max(wait, .milliseconds(20)), .seconds(1)) : wait)
  }

  private mutating func schedule(_ job: Job, _ stage: Stage<Prepared>, _ wait: Duration) {
    enter(job, stage)
    actions.append(.schedule(.work, wait))
  }

  mutating func workTimePassed() {
    guard case .running(let job, let stage) = work else { return }
    switch stage {
    case .storePause(let held): enter(job, held ? .lookingAgain : .reading)
    case .claimPause: claim(job)
    case .retryPause(let base):
      switch job.task {
      case .renewal:
        guard let known = session.known, known.lineage == base?.lineage else {
          return finish(job, .failure(Self.signedOutMeanwhile))
        }
        // Through the mark again, which states the claim anew and writes a cookie that has come meanwhile.
        if settings.accessCanBeLost || writing.owesProof { return enter(job, .marking) }
        let begun = beginTrail() ?? known
        begin(job, .renewing(begun)) { .renew($0, job, begun) }
      case .exchange: exchange(job)
      case .identification: identify(job)
      case .grant: prepareGrant(job)
      }
    default: break
    }
  }

  // MARK: Exclusive access

  mutating func claim(_ job: Job) {
    if access == .held { return enter(job, .lookingAgain) }
    enter(job, .claiming)
    // One that ended work has asked for is this one's now.
    guard access == .none else { return }
    let ticket = ticket()
    access = .claiming(ticket)
    actions.append(.claim(ticket))
  }

  mutating func claimed(_ ticket: Ticket) {
    guard access == .claiming(ticket) else { return }
    access = .held
    if case .running(let job, .claiming) = work { enter(job, .lookingAgain) }
  }

  mutating func claimFailed(_ ticket: Ticket, _ error: OstiaryError) {
    guard access == .claiming(ticket) else { return }
    access = .none
    seenClaim = nil
    guard case .running(let job, .claiming) = work else { return }
    // What the server has given is saved without exclusive access, too: the store compares.
    if job.task == .grant { return prepareGrant(job) }
    // A process may have been stopped between its last write and letting go.
    if error.code == .storeUnavailable { return enter(job, .unclaimed(error)) }
    finish(job, .failure(error))
  }

  /// After the store had nothing that does, with exclusive access.
  private mutating func proceedAlone(_ job: Job, _ content: StoreContent<Prepared>) {
    var job = job
    if job.task == .exchange, case .ensure = job.need, let known = session.usable, !job.keepsSession {
      // A session has come meanwhile that is past its date. It may be renewable, and the server has not refused it.
      job.task = .renewal
      job.user = known.user.id
    }
    switch job.task {
    case .exchange: exchange(job)
    case .identification: identify(job)
    case .grant: prepareGrant(job)
    case .renewal:
      guard let known = session.known, known.user.id == job.user else {
        return finish(job, .failure(Self.signedOutMeanwhile))
      }
      if let claim = content.claim, claim.writer != settings.writer, !isLeftBehind(claim) {
        return waitForClaim(job)
      }
      if mayHideClaim { return waitForClaim(job) }
      job.looks += 1
      guard job.looks <= settings.looks else { return failRenewal(job, .storeConflict) }
      enter(job, .marking)
    }
  }

  /// Whether a claim has been seen unchanged for longer than its writer may take.
  private mutating func isLeftBehind(_ claim: RenewalClaim) -> Bool {
    guard let seenClaim, seenClaim.claim == claim else {
      seenClaim = SeenClaim(claim: claim, since: now)
      return false
    }
    return now.seconds(since: seenClaim.since) > claim.bound
  }

  /// Whether a damaged entry may have held the claim of a process that has lost its exclusive access meanwhile.
  private var mayHideClaim: Bool {
    guard settings.accessCanBeLost, let damagedSince else { return false }
    return now.seconds(since: damagedSince) <= settings.claimBound
  }

  private mutating func waitForClaim(_ job: Job) {
    var job = job
    // Each look is a reading that succeeds, so the time that readings have failed for says nothing here.
    let start = job.claimSeenSince ?? now
    job.claimSeenSince = start
    guard now.seconds(since: start) < settings.patience.seconds else { return failRenewal(job, .storeBusy) }
    schedule(job, .claimPause, .milliseconds(200))
  }

  /// The store can be written: the renewal may begin.
  mutating func marked(_ job: Job) {
    guard let known = session.known, known.user.id == job.user else {
      return finish(job, .failure(Self.signedOutMeanwhile))
    }
    begin(job, .renewing(known)) { .renew($0, job, known) }
  }
}
