internal import Foundation

// What the server has given, and its end there.
extension SessionDriver {
  func prepareGrant(_ ticket: Ticket, _ job: Job, _ base: Known?, _ over: Known?, isRenewal: Bool) {
    guard let kept = withKept({ $0.grant }) else {
      return step(.failed(ticket, Failure(error: Machine.signedOutMeanwhile)))
    }
    let renewed = isRenewal ? over : nil
    var session = Session(
      kind: authenticator.kind, server: authenticator.server,
      version: renewed?.version.next ?? ProofVersion(), grant: kept.grant,
      issuedAt: kept.moment.wall)
    if isRenewal, let base, let over {
      // What other responses have set meanwhile.
      session.proof.cookies.takeOver(
        changesFrom: base.prepared.session.proof.cookies, to: over.prepared.session.proof.cookies,
        isProof: authenticator.isProof)
    }
    // A stronger sign-in of the same user goes on with what was begun: a sign-out of that ends it, too.
    let replaces = if case .replace = job.need { true } else { false }
    let begun: Moment? =
      if let renewed { renewed.begun } else if replaces { base?.begun ?? kept.moment } else { kept.moment }
    // What a request of before says of the rest is said of what there is now.
    let sameSince = job.need.isOfPart && !kept.grant.isJudgement ? renewed?.prepared.sameSince : nil
    let known = prepare(session, issuedUptime: kept.moment.uptime, begun: begun, sameSince: sameSince)
    step(.prepared(ticket, known)) { kept in
      kept.use = SessionUse(last: session.issuedAt, stored: nil)
      return true
    }
  }

  func discard() {
    let (grant, question) = withKept { ($0.grant.take()?.grant, $0.question.take()) }
    withdraw(question)
    if let grant { discard(grant) }
  }

  /// Tells a person, or the app, that the question is of no use any more. An exchange whose requests have left goes on until the
  /// server has answered, for no longer than the patience: what it gives is ended there.
  func withdraw(_ question: Question?) {
    guard let question else { return }
    question.task.cancel()
    guard let exchange = question.exchange, exchange.isUnderWay else { return }
    withKept { kept in
      kept.lateExchange = Task.detached { [self, earlier = kept.lateExchange] in
        await withPatience(for: question.task)
        exchange.close()
        await earlier?.value
      }
    }
  }

  /// Waits for a question that was withdrawn, at most as long as for another process.
  func withPatience(for question: Task<Void, Never>) async {
    let ended = SharedWork<Void>()
    ended.launch { await question.value }
    let timer = OneTimer(after: configuration.patience, clock: clock) { ended.finish(.success(())) }
    _ = await ended.outcome
    timer.cancel()
  }

  /// Ends a session at the server that came too late: nothing else knows of it.
  func discard(_ grant: SessionGrant) {
    let session = Session(
      kind: authenticator.kind, server: authenticator.server, version: ProofVersion(), grant: grant,
      issuedAt: clock.now)
    tell(.discarded, .superseded, session)
    endLate([session])
  }

  /// Ends sessions at the server, and lets a flush wait for it.
  func endLate(_ sessions: [Session]) {
    withKept { kept in
      let earlier = kept.lateEnd
      kept.lateEnd = Task.detached {
        await earlier?.value
        _ = await self.endAtServer(sessions)
      }
    }
  }

  /// Ends sessions that another user's has replaced. One whose cookie the new session shows, too, would end with it.
  func endReplaced(_ sessions: [Session]) {
    let proof = withKept { $0.machine.session.known?.prepared.session.proof }
    var alone: [Session] = []
    for session in sessions {
      if proof?.sharesCookie(with: session.proof, where: authenticator.isProof) == true {
        tell(.endNotConfirmed, .superseded, session, "The new session shows one of its cookies.")
      } else {
        alone.append(session)
      }
    }
    if !alone.isEmpty { endLate(alone) }
  }

  @discardableResult
  private func endAtServer(_ sessions: [Session]) async -> OstiaryError? {
    var first: OstiaryError?
    for session in sessions {
      do {
        try await authenticator.end(session, in: context(for: layer(endsSession: true)))
      } catch {
        let error = Self.wrap(error)
        tell(.endNotConfirmed, .transientFailure, session, error.message)
        first = first ?? error
      }
    }
    return first
  }

  /// Asks the server whether sessions are over there.
  /// - Returns: `nil` when there was none.
  private func confirmEnd(of sessions: [Session]) async -> EndConfirmation? {
    var whole: EndConfirmation?
    for session in sessions {
      let context = context(for: layer(endsSession: true))
      let one =
        if let knowing = authenticator as? any AuthenticatorWithEndConfirmation {
          await knowing.confirmEnd(of: session, in: context)
        } else {
          await authenticator.confirmEndByProof(of: session, in: context)
        }
      whole = whole?.and(one) ?? one
    }
    return whole
  }

  func finishSignOut(_ callers: [UInt64], _ sessions: [Known], _ storeError: OstiaryError?) {
    let (waiting, isConfirming) = withKept { kept in
      let confirming = callers.filter { kept.confirmingSignOuts.remove($0) != nil }
      return (callers.compactMap { kept.signOuts.removeValue(forKey: $0) }, !confirming.isEmpty)
    }
    Task.detached { [self] in
      var report = SignOutReport()
      report.storeError = storeError
      let ended = sessions.map(\.prepared.session)
      report.serverError = await endAtServer(ended)
      if report.serverError == nil, isConfirming {
        report.confirmation = await confirmEnd(of: ended)
      }
      log.deliver { [report] in for caller in waiting { caller.finish(.success(report)) } }
    }
  }

  /// Tells what no step has told.
  func tell(_ kind: SessionEvent.Kind, _ cause: Cause, _ session: Session, _ detail: String? = nil) {
    let date = clock.now
    withKept { _ in record(kind, cause, session, detail, at: date) }
    log.deliver()
  }
}
