internal import Foundation

// The end of a session: one function for every cause.
extension SessionMachine {
  /// Ends the session here; the store and, for a sign-out, the server follow.
  private mutating func end(
    _ known: Known?, _ cause: Cause, refused: Set<ProofDigest>, _ detail: String?, callers: [UInt64] = []
  ) {
    let ended = known ?? session.changeable
    var debt = EndingDebt<Prepared>(
      entry: EndedEntry(
        lineage: ended?.lineage ?? settings.writer, cause: cause, date: now.wall,
        refused: refused, begun: ended?.begun))
    debt.untold = known
    debt.detail = detail
    debt.callers = callers
    if let earlier = ending {
      // What is owed of an earlier ending is owed still. The store has one entry.
      debt.callers = earlier.callers + callers
      debt.endsBefore = earlier.endsBefore
      debt.signedOut = earlier.isSignOut ? endedLineages : earlier.signedOut
      tellEnded(earlier)
      debt.atServer = earlier.atServer
      debt.discarded = earlier.discarded
    }
    if refused.isEmpty {
      if known == nil { debt.endsBefore = signOut.map(\.bound) ?? now }
      if let known {
        endedLineages.insert(known.lineage)
        debt.endAtServer([known] + alternatives, isOwed: writing.owesProof, besides: Set(superseded))
      }
      if let replaced = signOut?.replaced, !replaced.isEmpty { debt.endAtServer(replaced) }
    }
    become(.signedOut(cause, refused: refused.isEmpty ? nil : known))
    settleWriting()
    ending = debt
  }

  /// Gives a session up for good, because the server or the user said so, and fails with the error.
  mutating func giveUp(_ job: Job, _ error: OstiaryError, _ cause: Cause?) {
    // A newer cookie has come meanwhile, which the server has not refused.
    if let newer = session.usable, !job.keepsSession || newer.isFresh(at: now) { return useUntilRefused(job, newer) }
    guard let known = session.known else {
      if let cause { session = .signedOut(cause, refused: session.changeable) } else { settleAbsence() }
      if cause == .declined { tell(.failed, .declined, nil, error.message) }
      return finish(job, .failure(error))
    }
    guard !job.keepsSession else {
      // A person is asked at most once per pause.
      pauseAttempts(after: error)
      return finish(job, .failure(error))
    }
    let cause = cause ?? job.reason?.sessionCause ?? .rejectedByServer
    end(known, cause, refused: refusedDigests.union([known.digest]), reasonOfEnd(known, job, error))
    refusedDigests.insert(known.digest)
    enter(job, .ending(error))
  }

  /// Why there is no proof that the server takes. That there was no person to ask came after it.
  private func reasonOfEnd(_ known: Known, _ job: Job, _ error: OstiaryError) -> String {
    guard error.code == .interactionRequired else { return error.message }
    if let reason = job.reason { return reason.message }
    let refusal = lastRefusal.flatMap { $0.lineage == known.lineage ? $0.reason : nil }
    guard let lifetime = known.lifetime, known.isOver(at: now) else { return refusal ?? error.message }
    let end = known.issued.wall.addingTimeInterval(lifetime).ISO8601Format()
    return "It was good until \(end), and nothing renews it" + (refusal.map { ": \($0)" } ?? ".")
  }

  /// What there is now will be signed out. A sign-in that is not being written yet is of no use any more, and none follows.
  mutating func signingOut() {
    guard signOut == nil else { return }
    signOut = SignOutSubject(lineage: session.changeable?.lineage, since: now)
    dropWaitingSignIns()
    if let job = work.job, job.task != .renewal || work.stage == .asking {
      switch work.stage {
      case .saving, .ending: break
      default:
        actions.append(.discard)
        finish(job, .failure(Self.signedOutMeanwhile))
      }
    }
    dropCredential()
  }

  /// A sign-in that waits for other work was asked for before.
  private mutating func dropWaitingSignIns() {
    for waiter in waiters where waiter.need.isSignIn && !waiter.isOwner {
      wake(waiter.caller, .failure(Self.signedOutMeanwhile))
    }
    waiters.removeAll { $0.need.isSignIn && !$0.isOwner }
  }

  private mutating func dropCredential() {
    if hasGrant {
      hasGrant = false
      actions.append(.discard)
    }
    if hasCredential {
      hasCredential = false
      actions.append(.forgetCredential)
    }
  }

  mutating func signedOutHere(_ caller: UInt64) {
    var newest: Known?
    dropWaitingSignIns()
    if let job = work.job {
      // What the server has given and what is being written is ended there instead of what it replaces.
      if case .saving(let known, _, _) = work.stage {
        newest = known
        endedLineages.insert(known.lineage)
      } else {
        actions.append(.discard)
      }
      finish(job, .failure(Self.signedOutMeanwhile))
    }
    dropCredential()
    pause = .none
    failures = 0
    freshRejections = 0
    unclearRefusals = 0
    signOuts &+= 1
    let known = session.known
    endedLineages.formUnion([session.changeable?.lineage, signOut?.lineage].compactMap { $0 })
    let cause: Cause
    if case .signedOut(let earlier, _) = session { cause = earlier } else { cause = .requestedByApp }
    end(known, .requestedByApp, refused: [], nil, callers: [caller])
    session = .signedOut(cause)
    if let newest {
      ending?.discarded = newest
      ending?.endAtServer([newest])
    }
    // A write under way may bring the session back; it is waited for as long as an unavailable store is.
    actions.append(.schedule(.signOut, isSaving ? settings.storePatience : settings.waitForStore))
  }

  private var isSaving: Bool {
    switch operation?.kind {
    case .landing, .mark, .debt: true
    case .workRead, .writingRead, .endingRead, .ended, nil: false
    }
  }

  mutating func endingRead(_ content: StoreContent<Prepared>) {
    // A user who signed in meanwhile goes on with what was read, too: the next write takes it for known.
    if session.known != nil { settleApart(content) } else { noteStored(content) }
    guard var debt = ending else { return }
    switch content.entry {
    case .absent: return endingDone()
    case .damaged: break
    case .ended(let entry):
      guard !entry.refused.isEmpty else { return endingDone() }
      if isSignedOut(entry.lineage, debt) || (debt.ends(entry.begun) && entry.lineage != session.known?.lineage) {
        // The user's word counts for more than a refusal, which leaves other proofs of the sign-in as they are.
        endedLineages.insert(entry.lineage)
        signOutOf(entry.lineage)
      } else {
        guard !debt.isSignOut, entry.lineage == debt.entry.lineage, !debt.entry.refused.isSubset(of: entry.refused)
        else { return endingDone() }
        debt.entry.refused.formUnion(entry.refused)
        debt.entry.cause = entry.cause
        ending = debt
      }
    case .session(let found, let others):
      if debt.ends(found.begun), found.lineage != session.known?.lineage {
        endFound(found, others)
      } else if isSignedOut(found.lineage, debt) {
        // Another process may have renewed the session since: the newer proof is the one that the server knows.
        if debt.atServer.contains(where: { $0.proofs[0].lineage == found.lineage }) {
          ending?.endAtServer([found] + others)
        }
        signOutOf(found.lineage)
      } else if !debt.isSignOut, found.lineage == debt.entry.lineage {
        let believed = ([found] + others).filter { isBelieved($0) }
        if let first = believed.first { return restore(first, Array(believed.dropFirst())) }
      } else {
        return endingDone()
      }
    }
    ending?.phase = .writing(content.data)
  }

  /// Whether the user has signed out of a sign-in that the store may still hold.
  private func isSignedOut(_ lineage: UUID, _ debt: EndingDebt<Prepared>) -> Bool {
    debt.signedOut.contains(lineage) || endedLineages.contains(lineage)
  }

  /// Another process was given proof that the server has not refused: the session is not over.
  private mutating func restore(_ found: Known, _ others: [Known]) {
    if case .signedOut = session { adopt(found, others) }
    endNothing()
  }

  /// Makes the entry that is owed a sign-out's from this sign-in. A refusal that it was owed for is told first.
  private mutating func signOutOf(_ lineage: UUID) {
    guard let debt = ending else { return }
    if !debt.isSignOut {
      tellEnded(debt)
      ending?.untold = nil
      ending?.entry = EndedEntry(lineage: lineage, cause: .requestedByApp, date: now.wall, refused: [])
    }
    ending?.entry.lineage = lineage
  }

  /// Takes the ending back that is owed: the session is not over.
  private mutating func endNothing() {
    guard var debt = ending else { return }
    ending = nil
    actions.append(.unschedule(.ending))
    if case .running(let job, .ending) = work { finish(job, .success(nil)) }
    // What is owed of an earlier sign-out is owed still.
    endAtServer(&debt)
  }

  /// Ends at the server what the user has signed out of, and then answers who waits for it.
  private mutating func endAtServer(_ debt: inout EndingDebt<Prepared>, _ error: OstiaryError? = nil) {
    let sessions = debt.takeAtServer()
    if !debt.callers.isEmpty {
      actions.append(.finishSignOut(debt.callers, sessions, error))
    } else if !sessions.isEmpty {
      // What has been found since those who signed out were told.
      actions.append(.endAtServer(sessions))
    }
    debt.callers = []
  }

  /// The refusal that ended the session was of older proof: this one was on its way meanwhile.
  mutating func takeUpAgain(_ new: Known) {
    let isTold = ending?.untold == nil
    session = .signedIn(new)
    endNothing()
    tell(isTold ? .restored : .renewed, .refreshedByServer, new)
  }

  /// Ends a session that was stored when the user signed out and could only be read now.
  mutating func endFound(_ found: Known, _ others: [Known]) {
    ending?.endsBefore = nil
    signOutOf(found.lineage)
    ending?.endAtServer([found] + others, besides: refusedDigests)
    guard endedLineages.insert(found.lineage).inserted else { return }
    ending?.untold = found
    if case .signedOut = session, let cause = ending?.entry.cause { session = .signedOut(cause) }
  }

  /// Ends a session at the server whose place another user's has taken: its proof may outlive its own date. One of the same
  /// user is left, because many servers end all of a user's sessions with one.
  mutating func endReplaced(_ known: Known) {
    let believed = ([known] + alternatives).filter { isBelieved($0) }
    if !believed.isEmpty { actions.append(.endReplaced(believed)) }
  }

  mutating func endingDone() {
    guard var debt = ending else { return }
    ending = nil
    actions += [.unschedule(.ending), .unschedule(.signOut)]
    tellEnded(debt)
    if let discarded = debt.discarded { tell(.discarded, .superseded, discarded) }
    endAtServer(&debt)
    if case .running(let job, .ending(let error)) = work { finish(job, .failure(error)) }
  }

  private mutating func tellEnded(_ debt: EndingDebt<Prepared>) {
    if let untold = debt.untold { tell(.signedOut, debt.entry.cause, untold, debt.detail) }
  }

  /// The store could not be read. Another process may have put newer proof there, so a session is not ended because of a
  /// refusal before it can be; it stays refused.
  mutating func endingUnreadable(_ error: OstiaryError) {
    guard let debt = ending, !debt.isSignOut, let known = debt.untold, debt.owesNothingEarlier,
      session.changeable == known, case .running(let job, .ending) = work
    else { return endingFailed(error) }
    ending = nil
    become(.refused(known, nil))
    pauseAttempts(after: error)
    tell(.failed, .storeUnavailable, known, error.message)
    finish(job, .failure(error))
  }

  /// The store could not be written: everything else of the ending is done, and the store is tried again.
  mutating func endingFailed(_ error: OstiaryError) {
    guard var debt = ending else { return }
    debt.failures += 1
    debt.looks = 0
    debt.phase = .waiting
    if let discarded = debt.discarded { tell(.discarded, .superseded, discarded) }
    debt.discarded = nil
    ending = debt
    tellWaiting(error)
    actions.append(
      .schedule(.ending, max(.milliseconds(50), delay(afterFailures: debt.failures, asked: error.retryAfter))))
    if case .running(let job, .ending(let reason)) = work { finish(job, .failure(reason)) }
    failFlush(error)
  }

  mutating func signOutTimePassed() {
    tellWaiting(.storeBusy)
  }

  private mutating func tellWaiting(_ error: OstiaryError) {
    guard var debt = ending else { return }
    tellEnded(debt)
    debt.untold = nil
    if !debt.callers.isEmpty {
      endAtServer(&debt, error)
      actions.append(.unschedule(.signOut))
    }
    ending = debt
  }
}
