internal import Foundation

// What is written, when, and what comes of it.
extension SessionMachine {
  /// Chooses the next store action, and lets exclusive access go when nothing needs it.
  mutating func pump() {
    if access == .held, work.stage?.needsAccess != true, writing.debt?.holds != true {
      access = .none
      actions.append(.release)
    }
    guard operation == nil else { return }
    if let ending, pumpEnding(ending) { return }
    if case .running(let job, let stage) = work, pumpWork(job, stage) { return }
    guard case .due = writing else { return }
    // A renewed proof that may be in the store already is not written over with the one that it replaces.
    if case .running(_, .preparing(let landing)) = work, landing.isRenewal { return }
    guard let known = session.known else { return settleWriting() }
    // A renewal of the sign-in that is under way, here or in another process, goes on meanwhile.
    save(.debt(known), known, claim: stored.lineage == known.lineage ? stored.claim : nil)
  }

  /// A claim says that a renewal is at the server. The own one goes with the renewal, and with a failed one: other processes
  /// wait for it.
  mutating func withdrawClaim() {
    guard let claim = stored.claim, claim.writer == settings.writer, session.known?.lineage == stored.lineage else {
      return
    }
    if case .running(let job, let stage) = work, stage.isRenewal(job) { return }
    stored.claim = nil
    owe { _ in }
  }

  private mutating func pumpEnding(_ debt: EndingDebt<Prepared>) -> Bool {
    switch debt.phase {
    case .waiting: return false
    case .due: read(.endingRead)
    case .writing(let data):
      let ticket = run(.ended(debt.entry))
      actions.append(.writeEnded(ticket, debt.entry, expecting: data.map(StoreExpectation.exactly) ?? .nothing))
    }
    return true
  }

  private mutating func pumpWork(_ job: Job, _ stage: Stage<Prepared>) -> Bool {
    switch stage {
    case .reading, .unclaimed, .lookingAgain, .confirming: read(.workRead(job.id))
    case .saving(_, _, rereads: true): read(.workRead(job.id))
    case .saving(let known, _, rereads: false): save(.landing(known, job.id), known, claim: nil)
    case .marking:
      guard let known = beginTrail() else { return false }
      var claim: RenewalClaim?
      if settings.accessCanBeLost {
        claimNumber &+= 1
        claim = RenewalClaim(
          writer: settings.writer, process: settings.process, number: claimNumber, bound: settings.claimBound)
      }
      save(.mark(known, job.id), known, claim: claim)
    case .storePause, .claiming, .claimPause, .renewing, .verifying, .asking, .exchanging, .identifying, .retryPause,
      .preparing, .noting, .ending:
      return false
    }
    return true
  }

  private mutating func run(_ kind: Operation.Kind, claim: RenewalClaim? = nil) -> Ticket {
    let ticket = ticket()
    operation = Operation(ticket: ticket, kind: kind, claim: claim)
    return ticket
  }

  private mutating func read(_ kind: Operation.Kind) {
    let ticket = run(kind)
    actions.append(.read(ticket))
  }

  private mutating func save(_ kind: Operation.Kind, _ known: Known, claim: RenewalClaim?) {
    let ticket = run(kind, claim: claim)
    let others = known.lineage == session.known?.lineage ? alternatives : []
    actions.append(.save(ticket, known, alternatives: others, claim: claim, expecting: stored.expectation))
  }

  // MARK: Debts

  /// Notes that the store is behind.
  mutating func owe(at once: Bool = true, _ change: (inout WritingDebt) -> Void) {
    var debt = writing.debt ?? WritingDebt()
    change(&debt)
    // After a failure the timer decides.
    if writing.isDue || (once && debt.failures == 0) {
      writing = .due(debt)
      actions.append(.unschedule(.writing))
    } else {
      if writing == .clean { actions.append(.schedule(.writing, max(.milliseconds(50), settings.writeDelay))) }
      writing = .waiting(debt)
    }
  }

  /// Nothing is owed any more.
  mutating func settleWriting() {
    if writing != .clean { actions.append(.unschedule(.writing)) }
    writing = .clean
    for waiter in writeWaiters { wake(waiter.caller, .success(nil)) }
    if !writeWaiters.isEmpty { actions.append(.unschedule(.absorbing)) }
    writeWaiters = []
  }

  /// Wakes those who wait for everything to be written, once it is; after every step.
  mutating func wakeFlushed() {
    guard !flushWaiters.isEmpty, writing == .clean, ending == nil, !work.mayHaveGiven else { return }
    for caller in flushWaiters { wake(caller, .success(nil)) }
    flushWaiters = []
  }

  /// Tells those who wait for everything to be written that it can't be now.
  mutating func failFlush(_ error: OstiaryError) {
    for caller in flushWaiters { wake(caller, .failure(error)) }
    flushWaiters = []
  }

  mutating func changed(_ new: Known, _ base: Known, _ isProof: Bool, _ shown: ProofDigest?, _ waiter: UInt64?) {
    guard let known = session.changeable, known.isSame(as: base) else {
      if let waiter { wake(waiter, .failure(.storeConflict)) }
      return
    }
    var new = new
    // Of a session that was prolonged the new end counts.
    if known.digest == new.digest, known.lifetime == new.lifetime { new.usedFor = known.usedFor }
    if !isProof { new.trail = known.trail }
    // Before an ending that is owed is taken back: a flush waits for this, too.
    if isProof { owe { $0.isProof = true } }
    switch session {
    // A refusal was of the old proof.
    case .refused(_, let error) where !isProof: session = .refused(new, error)
    case .signedIn, .refused:
      session = .signedIn(new)
      if isProof { tell(.renewed, .refreshedByServer, new) }
    case .signedOut, .unread, .unreadable:
      guard isProof else {
        if let waiter { wake(waiter, .success(nil)) }
        return
      }
      takeUpAgain(new)
    }
    guard isProof else {
      owe(at: false) { $0.isContent = true }
      if let waiter { wake(waiter, .success(nil)) }
      return
    }
    noteSuccession(of: known, new, shown)
    if let waiter {
      if writeWaiters.isEmpty { actions.append(.schedule(.absorbing, settings.waitForStore)) }
      writeWaiters.append(WriteWaiter(caller: waiter, version: new.version))
    }
    // What waits for a store that has just failed is told at once.
    if writing.debt.map({ $0.failures > 0 }) == true { wakeWriters(upTo: .max) }
  }

  /// Notes the tokens that newer ones have taken the place of.
  mutating func noteUsed(_ earlier: [Known], for new: [Known]) {
    usedTokens = (earlier.map(\.tokens) + usedTokens).recent(settings.superseded, besides: new.map(\.tokens))
  }

  /// Notes what the new proof takes the place of.
  private mutating func noteSuccession(of known: Known, _ new: Known, _ shown: ProofDigest?) {
    if let shown {
      // The server gave it for the proof that was shown when all others were known: it is newer than they.
      superseded = ([shown] + alternatives.map(\.digest) + superseded).recent(
        settings.superseded, besides: [new.digest])
      alternatives = []
    } else if known.tokens == new.tokens, isBelieved(known) {
      // Two answers were on their way at once; which of the two cookies the server gave last can't be told.
      alternatives.removeAll { $0.digest == new.digest || $0.digest == known.digest }
      alternatives = Array(([known] + alternatives).prefix(StoredEntry.maximumAlternatives))
    }
  }

  mutating func used(_ version: ProofVersion) {
    guard session.known?.lineage == version.lineage else { return }
    owe(at: false) { _ in }
  }

  mutating func flush(_ caller: UInt64) {
    flushWaiters.append(caller)
    if let debt = writing.debt { writing = .due(debt) }
    if ending?.phase == .waiting { ending?.phase = .due }
  }

  private mutating func wakeWriters(upTo revision: UInt64) {
    for waiter in writeWaiters where waiter.version.revision <= revision { wake(waiter.caller, .success(nil)) }
    writeWaiters.removeAll { $0.version.revision <= revision }
    if writeWaiters.isEmpty { actions.append(.unschedule(.absorbing)) }
  }

  // MARK: Results

  mutating func written(_ ticket: Ticket, _ data: Data, _ stamp: StoreStamp?) {
    guard let operation, operation.ticket == ticket else { return }
    self.operation = nil
    self.stamp = stamp
    switch operation.kind {
    case .ended(let entry):
      stored = Stored(data: data, lineage: entry.lineage, isEnded: true)
      // Another ending may have come since; it reads what is stored now.
      if ending?.entry == entry { endingDone() }
    case .debt(let known):
      stored = Stored(data: data, lineage: known.lineage, claim: operation.claim, trail: known.trail)
      debtPaid(known)
    case .mark(let known, let id):
      stored = Stored(data: data, lineage: known.lineage, claim: operation.claim, trail: known.trail)
      debtPaid(known)
      guard case .running(let job, .marking) = work, job.id == id else { return }
      // A cookie came while the mark was being written: it is written, too, before anything is rotated.
      if writing.owesProof { enter(job, .marking) } else { marked(job) }
    case .landing(let known, let id):
      stored = Stored(data: data, lineage: known.lineage)
      guard case .running(let job, .saving(_, let landing, _)) = work, job.id == id else { return }
      // A cookie came while it was being written.
      guard isCurrent(landing) else { return prepare(job, landing) }
      settleWriting()
      land(job, known, landing)
    case .workRead, .writingRead, .endingRead: break
    }
  }

  private mutating func debtPaid(_ saved: Known) {
    wakeWriters(upTo: saved.version.revision)
    guard let known = session.known, known.lineage == saved.lineage else { return }
    if let debt = writing.debt, debt.isTold {
      tell(.writeCaughtUp, .storeUnavailable, known)
      var told = debt
      told.isTold = false
      writing = writing.isDue ? .due(told) : .waiting(told)
    }
    let isSame = known.isSame(as: saved)
    guard (isSame && known.trail == saved.trail) || writing == .clean else {
      writing = .due(
        WritingDebt(isProof: known.digest != saved.digest, isContent: !isSame, isTrail: known.trail != saved.trail))
      return
    }
    settleWriting()
  }

  mutating func writeFailed(_ ticket: Ticket, _ error: OstiaryError) {
    guard let operation, operation.ticket == ticket else { return }
    self.operation = nil
    let isConflict = error.code == .storeConflict
    // A write whose answer failed may be in the store.
    if !isConflict, let claim = operation.claim { stored.claim = claim }
    switch operation.kind {
    case .ended(let entry):
      guard ending?.entry == entry else { return }
      if isConflict, let debt = ending, debt.looks < settings.looks {
        ending?.looks += 1
        ending?.phase = .due
      } else {
        endingFailed(error)
      }
    case .debt:
      guard writing.debt != nil else { return }
      guard isConflict, var debt = writing.debt, debt.looks < settings.looks else { return debtFailed(error) }
      debt.looks += 1
      writing = .due(debt)
      read(.writingRead)
    case .mark(_, let id):
      guard case .running(let job, .marking) = work, job.id == id else { return }
      if isConflict { return enter(job, .lookingAgain) }
      if let known = session.known { changeTrail(of: known) { $0.end() } }
      if writing.debt != nil { debtFailed(error) }
      failRenewal(job, error)
    case .landing(let known, let id):
      guard case .running(var job, .saving(_, let landing, _)) = work, job.id == id else { return }
      job.looks += 1
      if isConflict, job.looks <= settings.looks {
        enter(job, .saving(known, landing, rereads: true))
      } else {
        landUnsaved(job, known, landing, error)
      }
    case .workRead, .writingRead, .endingRead: break
    }
  }

  mutating func debtFailed(_ error: OstiaryError) {
    guard var debt = writing.debt else { return }
    debt.failures += 1
    debt.looks = 0
    if !debt.isTold, debt.isProof || debt.isContent {
      debt.isTold = true
      tell(.writeDelayed, .storeUnavailable, session.known, error.message)
    }
    writing = .waiting(debt)
    actions.append(
      .schedule(.writing, max(.milliseconds(50), delay(afterFailures: debt.failures, asked: error.retryAfter))))
    wakeWriters(upTo: .max)
    failFlush(error)
  }

  // MARK: New sessions

  /// What the server has given was made a session.
  mutating func prepared(_ ticket: Ticket, _ new: Known) {
    guard let (job, stage) = take(ticket), case .preparing(let landing) = stage else { return }
    guard isCurrent(landing) else { return prepare(job, landing) }
    enter(job, .saving(new, landing, rereads: false))
  }

  /// Whether nothing has come to the session, a cookie for example, since the new one was prepared over it.
  private func isCurrent(_ landing: Landing<Prepared>) -> Bool {
    guard landing.isRenewal, let known = session.known else { return true }
    return landing.over.map(known.isSame) == true
  }

  /// The store held something else than what was expected.
  mutating func landAgain(
    _ job: Job, _ new: Known, _ landing: Landing<Prepared>, _ content: StoreContent<Prepared>
  ) {
    if landing.isRenewal {
      if case .ended(let entry) = content.entry, entry.lineage == new.lineage, !entry.ends(new.digest) {
        // An older proof was refused to another process; this one is newer.
        noteStored(content)
        return enter(job, .saving(new, landing, rereads: false))
      }
      switch settle(content) {
      case .endedElsewhere, .anotherUser:
        actions.append(.discard)
        return finish(job, .failure(Self.signedOutMeanwhile))
      case .same, .adopted: return prepare(job, landing)
      }
    }
    if case .replace(let lineage) = job.need, content.session?.lineage != lineage {
      // It has been signed out meanwhile, or another sign-in has taken its place.
      _ = settle(content)
      return overtaken(job)
    }
    if let found = content.session, isBelieved(found), found.lineage != landing.base?.lineage {
      // Another process was quicker.
      _ = settle(content)
      return overtaken(job)
    }
    noteStored(content)
    enter(job, .saving(new, landing, rereads: false))
  }

  /// A new session could not be written. It is shown from memory. After a renewal exclusive access is kept until it is
  /// written: no other process may show the used proof meanwhile.
  mutating func landUnsaved(_ job: Job, _ new: Known, _ landing: Landing<Prepared>, _ error: OstiaryError) {
    guard isCurrent(landing) else { return prepare(job, landing) }
    settleWriting()
    writing = .waiting(
      WritingDebt(
        isProof: true, isContent: true,
        holds: access == .held && landing.isRenewal, failures: 1, isTold: true))
    actions.append(.schedule(.writing, max(.milliseconds(50), delay(afterFailures: 1, asked: error.retryAfter))))
    show(new, landing)
    tell(.writeDelayed, .storeUnavailable, new, error.message)
    failFlush(error)
    goOn(job, new, landing)
  }

  private mutating func land(_ job: Job, _ new: Known, _ landing: Landing<Prepared>) {
    show(new, landing)
    goOn(job, new, landing)
  }

  private mutating func goOn(_ job: Job, _ new: Known, _ landing: Landing<Prepared>) {
    if landing.isUnjudged { return judge(job, new, landing) }
    guard landing.isJudgement, new.isOver(at: now), !job.renewsAgain else { return finish(job, .success(new)) }
    // What is judged so late is of no use to a caller any more.
    var job = job
    job.renewsAgain = true
    job.judgement = nil
    claim(job)
  }

  private mutating func show(_ new: Known, _ landing: Landing<Prepared>) {
    // The rest is not new with a part.
    var new = new
    if landing.isOfPart, let known = session.known, known.lineage == new.lineage { new.isAccepted = known.isAccepted }
    if let known = session.known, known.lineage != new.lineage {
      if known.user.id != new.user.id {
        endReplaced(known)
        tell(.signedOut, .superseded, known)
      }
      // What the store may still hold of it is over.
      endedLineages.insert(known.lineage)
      refusedDigests = []
    }
    let earlier = [landing.base, landing.over].compactMap { $0 }.filter { $0.lineage == new.lineage }
    let digests = earlier.map(\.digest) + (earlier.isEmpty ? [] : alternatives.map(\.digest) + superseded)
    if !landing.isOfPart || session.known?.digest == givenHere { givenHere = new.digest }
    var state = SessionState.signedIn(new)
    // What the server has refused of the rest meanwhile stays refused.
    if landing.isOfPart, case .refused(let known, let error) = session, known.lineage == new.lineage {
      state = .refused(new, error)
    }
    become(state, superseded: digests.recent(settings.superseded, besides: [new.digest]))
    noteUsed(earlier, for: [new])
    if let part = landing.droppedPart { tell(.partDropped, .notBelieved, new, part) }
    if !landing.isUnjudged { tell(landing.isRenewal ? .renewed : .signedIn, landing.cause, new) }
  }
}
