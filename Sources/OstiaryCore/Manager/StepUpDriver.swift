internal import Foundation

/// Holds the ``StepUpMachine`` of one session under a lock, asks the user, and puts what comes of it in the session's place.
///
/// A question takes a person's time, so it is none of the session's shared work: renewals go on meanwhile.
final class StepUpDriver: Sendable {
  private struct Kept: Sendable {
    var steps = StepUpMachine()
    var callers: [UInt64: SharedWork<Bool>] = [:]
    var lastCaller: UInt64 = 0
    /// The question that is being asked.
    var question: SessionDriver.Question?
    /// What it is about.
    var challenge: Challenge?
    var timer: OneTimer?
    /// What a user has signed in with, where it could not be verified or stored at once.
    var grant: KeptGrant?
  }

  private struct KeptGrant: Sendable {
    let lineage: UUID
    let grant: SessionGrant
  }

  private let driver: SessionDriver
  private let authenticator: (any AuthenticatorWithStepUp)?
  private let kept = Locked(Kept())

  init(_ driver: SessionDriver) {
    self.driver = driver
    authenticator = driver.authenticator as? any AuthenticatorWithStepUp
  }

  /// Whether a user can be asked at all.
  var isPossible: Bool { authenticator?.stepsUp == true }

  /// How many questions have failed.
  var failures: UInt64 { kept.withLock { $0.steps.failures } }

  /// Waits until there is another sign-in than the one that a request carried.
  /// - Parameters:
  ///   - lineage: the sign-in that the request carried.
  ///   - failures: how many questions had failed when it was sent.
  /// - Throws: ``OstiaryError`` `strongerSignInNeeded`, or `CancellationError` when the caller's task is cancelled.
  func stepUp(for challenge: Challenge, shown lineage: UUID, failures: UInt64) async throws {
    let work = SharedWork<Bool>()
    let (caller, actions) = kept.withLock { kept in
      // Under the lock: a question that has just been answered has put its answer in place before.
      let current = driver.snapshot.state.known?.lineage
      kept.lastCaller &+= 1
      kept.callers[kept.lastCaller] = work
      let caller = kept.lastCaller
      let input = StepUpMachine.Input.demanded(caller: caller, shown: lineage, current: current, failures: failures)
      return (caller, kept.steps.step(input))
    }
    perform(actions, challenge)
    do {
      _ = try await work.value()
    } catch {
      if error is CancellationError {
        kept.withLock { kept in
          kept.callers[caller] = nil
          _ = kept.steps.step(.left(caller: caller))
        }
      }
      throw error
    }
  }

  /// Ends a question that is being asked: those who wait are told, and what the user still answers is ended at the server.
  /// - Returns: whether there was one.
  func decline(_ error: OstiaryError) -> Bool {
    withdraw(telling: error) { challenge in challenge.map { .strongerSignInNeeded($0, error) } ?? error }
  }

  /// The user signs out: what was kept of an answer is ended at the server, too.
  func signOut() {
    _ = withdraw { _ in SessionDriver.Machine.signedOutMeanwhile }
    if let answer = kept.withLock({ $0.grant.take() }) { driver.discard(answer.grant) }
  }

  /// - Parameter failure: told as the question's outcome, if there is a question; `nil` where another event tells of it.
  private func withdraw(
    telling failure: OstiaryError? = nil, _ error: @Sendable (Challenge?) -> OstiaryError
  ) -> Bool {
    let actions = kept.withLock { kept in
      let error = error(kept.challenge)
      return kept.steps.step(.withdrawn(error))
    }
    if let failure, !actions.isEmpty { tell(failure) }
    perform(actions, nil)
    return !actions.isEmpty
  }

  // MARK: Actions

  private func perform(_ actions: [StepUpMachine.Action], _ challenge: Challenge?) {
    for action in actions {
      switch action {
      case .ask(let number, let lineage): if let challenge { ask(number, lineage, challenge) }
      case .withdraw:
        let (question, timer) = kept.withLock { kept in
          kept.challenge = nil
          return (kept.question.take(), kept.timer.take())
        }
        timer?.cancel()
        driver.withdraw(question)
      case .wake(let callers, let result):
        let waiting = kept.withLock { kept in callers.compactMap { kept.callers.removeValue(forKey: $0) } }
        driver.log.deliver { for work in waiting { work.finish(result.mapError { $0 }) } }
      }
    }
  }

  /// Tells that a question has come to nothing.
  private func tell(_ error: OstiaryError) {
    guard let session = driver.snapshot.state.known?.prepared.session else { return }
    driver.tell(.strongerSignInFailed, error.strongerSignInCause, session, error.message)
  }

  private func ask(_ number: UInt64, _ lineage: UUID, _ challenge: Challenge) {
    if let session = driver.snapshot.state.known?.prepared.session, isAsked(number) {
      driver.tell(.strongerSignInAsked, .strongerSignInDemanded, session, challenge.recognition.reason)
    }
    let exchange = ExchangeTransport(driver.layer())
    let body: @Sendable () async -> Void = { [self] in
      do {
        try await replace(number, lineage, challenge, exchange)
        end(number, .answered(number: number))
      } catch {
        let error = SessionDriver.wrap(error)
        if isAsked(number), error.code != .signedOut { tell(error) }
        // A session that has ended is no matter of a stronger sign-in any more.
        let told = error.code == .signedOut ? error : .strongerSignInNeeded(challenge, error)
        end(number, .failed(number: number, told))
      }
    }
    // Under the lock, so that it can't be over before it is noted.
    kept.withLock { kept in
      guard kept.steps.question?.number == number else { return }
      kept.challenge = challenge
      kept.question = SessionDriver.Question(task: Task.detached { await body() }, exchange: exchange)
      kept.timer = OneTimer(after: driver.configuration.signInPatience, clock: driver.clock) { [self] in
        guard isAsked(number) else { return }
        _ = decline(
          OstiaryError(.signInTimedOut, "The sign-in was not answered in time.", requestMayHaveExecuted: false))
      }
    }
  }

  private func isAsked(_ number: UInt64) -> Bool { kept.withLock { $0.steps.question?.number == number } }

  private func end(_ number: UInt64, _ input: StepUpMachine.Input) {
    let (actions, timer) = kept.withLock { kept -> ([StepUpMachine.Action], OneTimer?) in
      guard kept.steps.question?.number == number else { return ([], nil) }
      kept.question = nil
      kept.challenge = nil
      return (kept.steps.step(input), kept.timer.take())
    }
    timer?.cancel()
    perform(actions, nil)
  }

  // MARK: The stronger sign-in

  /// Asks the user, verifies what comes of it, and puts it in the session's place.
  private func replace(
    _ number: UInt64, _ lineage: UUID, _ challenge: Challenge, _ exchange: ExchangeTransport
  ) async throws {
    guard let authenticator, let session = driver.snapshot.state.known?.prepared.session,
      session.version.lineage == lineage
    else { throw SessionDriver.Machine.signedOutMeanwhile }
    var grant: SessionGrant
    let earlier = kept.withLock { $0.grant.take() }
    if let earlier, earlier.lineage == lineage {
      // The user has answered already.
      grant = earlier.grant
    } else {
      // What another sign-in's question left is of no use any more.
      if let earlier { driver.discard(earlier.grant) }
      defer { exchange.close() }
      grant = try await authenticator.stepUp(
        session, for: challenge,
        in: AuthenticationContext(
          transport: exchange, clock: driver.clock, logger: driver.logger, challenge: challenge, previous: session))
    }
    if grant.needsIdentification { grant = try await identified(grant, lineage, number) }
    guard grant.user.id == session.user.id else {
      driver.discard(grant)
      throw OstiaryError(
        .anotherUser, "Another user has signed in than the session's.", advice: "Sign in as the same user.",
        disposition: .terminal)
    }
    guard isAsked(number) else {
      driver.discard(grant)
      throw SessionDriver.Machine.signedOutMeanwhile
    }
    // In a task that no withdrawal reaches: what is being stored is not given up half-way.
    let landing = Task.detached { [driver, grant] in
      _ = try await driver.need(.replace(lineage), SessionDriver.Order(grant: grant))
    }
    do {
      try await landing.value
    } catch {
      keep(grant, lineage, number, after: error)
      throw error
    }
  }

  private func identified(_ grant: SessionGrant, _ lineage: UUID, _ number: UInt64) async throws -> SessionGrant {
    do {
      var identified = try await driver.authenticator.identify(grant, in: driver.context(for: driver.layer()))
      identified.needsIdentification = false
      return identified
    } catch {
      // After a definite word the authenticator has ended it.
      if SessionDriver.wrap(error).disposition != .terminal { keep(grant, lineage, number, after: error) }
      throw error
    }
  }

  /// What a failure leaves that may pass is gone on with by the next question: the user has answered.
  private func keep(_ grant: SessionGrant, _ lineage: UUID, _ number: UInt64, after error: any Error) {
    if SessionDriver.wrap(error).isTransient, isAsked(number) {
      kept.withLock { $0.grant = KeptGrant(lineage: lineage, grant: grant) }
    } else {
      driver.discard(grant)
    }
  }
}

extension OstiaryError {
  /// Why a question for a stronger sign-in came to nothing.
  fileprivate var strongerSignInCause: Cause {
    switch code {
    case .interactionCancelled: .declined
    case .signInTimedOut: .timedOut
    case .anotherUser: .anotherUser
    default: isTransient ? .transientFailure : .notAccepted
    }
  }

  /// A request that wants a stronger sign-in could not have it.
  static func strongerSignInNeeded(_ challenge: Challenge, _ error: OstiaryError) -> OstiaryError {
    OstiaryError(
      .strongerSignInNeeded, "\(challenge.recognition.reason) That did not happen: \(error.message)",
      advice: "Try again, and sign in as the server wants; the session is as good as before.",
      disposition: error.isTransient ? error.disposition : .terminal, request: challenge.original.head,
      requestMayHaveExecuted: false, underlying: error)
  }
}
