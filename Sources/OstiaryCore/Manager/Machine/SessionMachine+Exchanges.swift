internal import Foundation

// What is exchanged with the server, and what its answers mean.
extension SessionMachine {
  // MARK: Renewing

  mutating func renewed(_ ticket: Ticket, _ isUnjudged: Bool, _ isJudged: Bool, _ droppedPart: String?) {
    guard let (job, stage) = take(ticket), case .renewing(let base) = stage else { return }
    noteAnswer()
    hasGrant = false
    // Another process may have judged what this work was to judge: then the server was asked for newer proof.
    let judgement = job.judgement.flatMap { $0.tokens == base.tokens ? $0 : nil }
    let cause: Cause = judgement?.cause ?? (session.usable == nil ? .rejectedByServer : job.need.causeOfRenewal)
    prepare(
      job,
      Landing(
        base: base, isRenewal: true, cause: cause, isUnjudged: isUnjudged && judgement == nil,
        isJudgement: judgement != nil || isJudged, isOfPart: job.need.isOfPart && judgement == nil && !isJudged,
        droppedPart: droppedPart))
  }

  /// What a renewal gave is written. No caller sees it before it is judged, and exclusive access is kept until then.
  mutating func judge(_ job: Job, _ new: Known, _ landing: Landing<Prepared>) {
    var job = job
    job.judgement = Job.Judgement(tokens: new.tokens, cause: landing.cause)
    job.failures = 0
    begin(job, .renewing(new)) { .renew($0, job, new) }
  }

  mutating func notRenewable(_ ticket: Ticket) {
    guard let (job, stage) = take(ticket), case .renewing(let base) = stage else { return }
    changeTrail(of: base) { $0.end() }
    guard let known = session.usable else { return needCredential(job, nil) }
    // What there is stays as it is.
    if case .newer = job.need { return finish(job, .success(nil)) }
    useUntilRefused(job, known)
  }

  /// Goes on with a proof that is past its date and that the server has not refused: only the server knows, for a clock may
  /// be wrong.
  mutating func useUntilRefused(_ job: Job, _ known: Known) {
    var known = known
    if !known.isFresh(at: now) { known.usedFor = nil }
    session = .signedIn(known)
    finish(job, .success(nil))
  }

  private mutating func renewalFailed(_ job: Job, _ base: Known, _ failure: Failure) {
    var failure = failure
    noteTrail(&failure, of: base)
    let error = failure.error
    if failure.isLowerLayer {
      tell(.failed, .lowerLayer, session.known, error.message)
      return endRenewal(job, error)
    }
    if error.code == .unclearRefusal || error.code == .unreadableAnswer {
      // A refusal that follows a lost answer is explained by it. Lost answers alone are no word of the server's, however many.
      unclearRefusals = error.isLostAnswer ? max(unclearRefusals, 1) : unclearRefusals + 1
      let isConfirmed = !error.isLostAnswer && (unclearRefusals > 1 || isRefusedForGood)
      let cause: Cause = isConfirmed && error.code == .unclearRefusal ? .renewalRefused : .transientFailure
      tell(.failed, cause, session.known, error.message)
      guard isConfirmed else {
        pauseAttempts(after: error)
        return endRenewal(job, error)
      }
      // Confirmed here, or by processes before: the user is asked, and the old proof is kept until the new one stands.
      var job = job
      job.keepsSession = true
      return endRenewal(job, error, asks: true)
    }
    if error.disposition == .terminal, error.code != .signedOut {
      return enter(job, .confirming(error, refused: base))
    }
    retry(job, base, failure) { $0.endRenewal($1, error) }
  }

  /// The renewal was refused, and the store has been read since.
  mutating func confirmed(_ job: Job, _ error: OstiaryError, _ base: Known, _ content: StoreContent<Prepared>) {
    switch settle(content) {
    case .endedElsewhere, .anotherUser: return finish(job, .failure(Self.signedOutMeanwhile))
    case .adopted: if session.usable?.isFresh(at: now) == true { return finish(job, .success(nil)) }
    case .same: break
    }
    guard let known = session.known else { return finish(job, .failure(Self.signedOutMeanwhile)) }
    if known.digest != base.digest {
      // The refusal was of an older proof.
      if session.usable?.isFresh(at: now) != true, known.tokens != base.tokens { return claim(job) }
      if let newer = session.usable { return useUntilRefused(job, newer) }
    }
    tell(.failed, error.sessionCause ?? .rejectedByServer, known, error.message)
    refusedDigests.formUnion([base.digest, known.digest])
    session = .refused(known, nil)
    needCredential(job, error)
  }

  /// Ends a renewal that failed for a reason that may pass. A session that is not over is good enough for now.
  mutating func failRenewal(_ job: Job, _ error: OstiaryError) {
    guard var known = session.usable else { return finish(job, .failure(error)) }
    // Whether what there is will do is the caller's to say.
    if case .newer = job.need { return finish(job, .failure(error)) }
    // A newer cookie has come meanwhile.
    if known.isFresh(at: now) { return finish(job, .success(nil)) }
    guard let lifetime = known.lifetime, !known.isOver(at: now) else { return finish(job, .failure(error)) }
    // A policy without waits must not make every request an attempt.
    let next = max(pause.left(at: now)?.seconds ?? 0, 1)
    known.usedFor = min(lifetime, now.seconds(since: known.issued) + next)
    session = .signedIn(known)
    finish(job, .success(nil))
  }

  // MARK: Signing in

  mutating func needCredential(_ job: Job, _ reason: OstiaryError?) {
    if useAlternative() { return finish(job, .success(nil)) }
    var job = job
    job.reason = reason
    guard case .ensure = job.need else {
      return giveUp(job, job.refusal ?? noCredential(job), nil)
    }
    if hasGrant {
      startPatience(job)
      job.task = .identification
      job.usesKeptGrant = true
      return claim(job)
    }
    switch settings.source {
    case .upFront where hasCredential:
      startPatience(job)
      job.task = .exchange
      claim(job)
    case .manual, .upFront: giveUp(job, noCredential(job), nil)
    case .onRequest where job.isAnswered:
      job.task = .exchange
      claim(job)
    case .onRequest: ask(job)
    case .handler:
      startPatience(job)
      exchange(job)
    }
  }

  private func noCredential(_ job: Job) -> OstiaryError {
    if job.keepsSession, let reason = job.reason { return Self.notRenewed(reason) }
    return Self.interactionRequired(job.reason)
  }

  /// Asks for a credential. Each question has the whole time.
  private mutating func ask(_ job: Job) {
    startPatience(job)
    let previous = session.known
    begin(job, .asking) { .ask($0, job, previous: previous, job.refusal) }
  }

  private mutating func startPatience(_ job: Job) {
    if let patience = settings.signInPatience { actions.append(.schedule(.patience, patience)) }
  }

  mutating func credentialGiven(_ ticket: Ticket) {
    guard var (job, _) = take(ticket) else { return }
    job.isAnswered = true
    job.task = .exchange
    claim(job)
  }

  mutating func declined(_ ticket: Ticket, _ error: OstiaryError) {
    guard let (job, _) = take(ticket) else { return }
    // A source that has no other credential hands the refusal back, which has been told.
    if error.code == job.refusal?.code { return giveUp(job, error, .credentialRefused) }
    // Where there was no person to ask, the refusal is the cause.
    giveUp(job, error, error.code == .interactionRequired ? nil : .declined)
  }

  mutating func exchange(_ job: Job) {
    guard signOut == nil else { return finish(job, .failure(Self.signedOutMeanwhile)) }
    var job = job
    if job.task == .renewal || isByHandler(job) { job.task = .exchange }
    if job.need.isSignIn { startPatience(job) }
    let known = session.known
    begin(job, .exchanging) { .exchange($0, job, known) }
  }

  private func isByHandler(_ job: Job) -> Bool {
    switch job.need {
    case .signIn(let byHandler): byHandler
    default: settings.source == .handler
    }
  }

  mutating func exchanged(_ ticket: Ticket, _ isIdentified: Bool, _ isKept: Bool) {
    guard let (taken, stage) = take(ticket) else { return }
    var job = taken
    noteAnswer()
    if case .exchanging = stage, !isIdentified {
      hasGrant = true
      job.task = .identification
      job.usesKeptGrant = isKept
      return identify(job)
    }
    hasGrant = false
    job.task = .grant
    job.failures = 0
    guard access == .held else { return claim(job) }
    if found(job) != nil { return overtaken(job) }
    prepareGrant(job)
  }

  mutating func identify(_ job: Job) {
    begin(job, .identifying) { .identify($0, job) }
  }

  mutating func prepareGrant(_ job: Job) {
    let cause: Cause =
      switch job.need {
      case .ensure(let cause, _): cause
      case .replace: .strongerSignInDemanded
      default: .requestedByApp
      }
    prepare(job, Landing(base: session.known, isRenewal: false, cause: cause))
  }

  mutating func prepare(_ job: Job, _ landing: Landing<Prepared>) {
    if landing.isRenewal, let known = session.known, known.lineage != landing.base?.lineage {
      // Another sign-in has taken the session's place: nothing of this one lands on it.
      actions.append(.discard)
      return finish(job, known.isFresh(at: now) ? .success(nil) : .failure(Self.signedOutMeanwhile))
    }
    if landing.isJudgement, let known = session.known, known.tokens != landing.base?.tokens {
      // Another process has judged the same, and may have renewed since, which uses up what was judged here.
      if let result = found(job) { return finish(job, result) }
      return claim(job)
    }
    var landing = landing
    landing.over = session.known
    begin(job, .preparing(landing)) {
      .prepare($0, job, base: landing.base, over: landing.over, isRenewal: landing.isRenewal)
    }
  }

  // MARK: Failures

  mutating func exchangeFailed(_ ticket: Ticket, _ failure: Failure) {
    guard let (job, stage) = take(ticket) else { return }
    switch stage {
    case .renewing(let base): renewalFailed(job, base, failure)
    case .exchanging: credentialFailed(job, failure)
    case .identifying:
      guard failure.error.disposition == .terminal, !failure.isLowerLayer else {
        // The grant is kept; only this step is repeated.
        return retry(job, session.known, failure) { $0.finish($1, .failure(failure.error)) }
      }
      discardGrant()
      identificationRefused(job, failure)
    default: finish(job, .failure(failure.error))
    }
  }

  /// The refusal of a grant that was given for earlier work says that the grant is old, and nothing of the credential.
  private mutating func identificationRefused(_ job: Job, _ failure: Failure) {
    guard job.usesKeptGrant else { return credentialFailed(job, failure) }
    var job = job
    job.usesKeptGrant = false
    job.failures = 0
    job.task = .exchange
    if job.need.isSignIn { exchange(job) } else { needCredential(job, failure.error) }
  }

  private mutating func credentialFailed(_ job: Job, _ failure: Failure) {
    var job = job
    let error = failure.error
    if failure.isLowerLayer {
      tell(.failed, .lowerLayer, session.known, error.message)
      return finish(job, .failure(error))
    }
    guard error.disposition == .terminal, error.code != .signedOut else {
      // A handler has asked a person; what failed is not tried again unasked.
      if isByHandler(job) { return finish(job, .failure(error)) }
      return retry(job, session.known, failure) { $0.finish($1, .failure(error)) }
    }
    tell(.failed, .credentialRefused, session.known, error.message)
    guard case .ensure = job.need else { return finish(job, .failure(error)) }
    job.refusal = error
    job.refusals += 1
    job.failures = 0
    if settings.source == .upFront {
      // Showing a refused password again would only lock the account.
      hasCredential = false
      actions.append(.forgetCredential)
    }
    if settings.source == .onRequest, error.code == .invalidCredentials,
      job.refusals < max(1, settings.maximumCredentialAttempts)
    {
      return ask(job)
    }
    giveUp(job, error, error.code == .interactionCancelled ? .declined : .credentialRefused)
  }

  /// Tries an exchange again when its failure may pass and callers can be made to wait that long.
  private mutating func retry(
    _ job: Job, _ base: Known?, _ failure: Failure, _ giveUp: (inout SessionMachine, Job) -> Void
  ) {
    var job = job
    let error = failure.error
    guard error.isTransient else { return giveUp(&self, job) }
    job.failures += 1
    let wait = delay(afterFailures: job.failures, asked: error.retryAfter)
    guard failure.mayRepeat, job.failures <= settings.retry.attempts, wait <= settings.retry.longestInline else {
      pauseAttempts(after: error)
      tell(.failed, .transientFailure, session.known, error.message)
      return giveUp(&self, job)
    }
    enter(job, .retryPause(base))
    actions.append(.schedule(.work, wait))
  }

  /// Makes callers wait after a failure that may pass.
  mutating func pauseAttempts(after error: OstiaryError) {
    failures += 1
    pause = .until(from: now, seconds: delay(afterFailures: failures, asked: error.retryAfter).seconds, error)
  }

  private mutating func noteAnswer() {
    failures = 0
    unclearRefusals = 0
    if freshRejections < settings.maximumFreshRejections { pause = .none }
  }

  // MARK: Verifying

  mutating func verified(_ ticket: Ticket, _ isValid: Bool, _ reason: String) {
    guard let (job, _) = take(ticket) else { return }
    if case .confirm(let version) = job.need {
      if isValid { accepted(present(version)) } else { refused(present(version), reason) }
    }
    // The verification itself may have brought a newer cookie.
    finish(job, .success(isValid ? session.usable : nil))
  }

  /// Where it can't be verified, the session is kept.
  mutating func verificationFailed(_ ticket: Ticket) {
    guard let (job, _) = take(ticket) else { return }
    finish(job, .success(nil))
  }

  // MARK: What responses say

  mutating func accepted(_ version: ProofVersion) {
    guard var known = session.usable, known.version == version else { return }
    freshRejections = 0
    known.isAccepted = true
    session = .signedIn(known)
    // The ending of other proofs: the own one was accepted, and other processes go on with it.
    if stored.isEnded, stored.lineage == known.lineage { owe { $0.isProof = true } }
  }

  /// The renewal that follows finds the same, and says it.
  mutating func lost(_ version: ProofVersion) {
    guard let known = session.usable, known.version == version else { return }
    session = .refused(known, nil)
  }

  /// A late word about an old proof changes nothing.
  mutating func refused(_ version: ProofVersion, _ reason: String) {
    guard let known = session.usable, known.version == version else { return }
    tell(.rejected, .rejectedByServer, known, reason)
    lastRefusal = LastRefusal(lineage: known.lineage, reason: reason)
    session = .refused(known, nil)
    if useAlternative() { return }
    if !known.isAccepted, known.digest == givenHere {
      freshRejections += 1
      if freshRejections >= settings.maximumFreshRejections {
        pauseAttempts(
          after: OstiaryError(
            .challengedAgain, "The server refused \(freshRejections) new sessions in a row: \(reason)."))
      }
    }
  }
}
