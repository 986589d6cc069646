internal import Foundation
internal import OstiaryCore

// The question to the app: at most one at a time, and every caller that needs its outcome waits for the same one.
extension SalesforceService {
  /// Who uses the service now, after asking the app where that is called for.
  /// - Parameter asksGuests: whether to ask again when a guest uses it because of an answer.
  func holder(asksGuests: Bool) async throws -> Holder {
    var asksGuests = asksGuests
    while true {
      try Task.checkCancellation()
      let (holder, change) = state.withLock { state -> (Holder, Change?) in
        if let change = state.change {
          // Until other settings are found to be good, the ones that there are serve.
          if case .user = state.holder { return (state.holder, nil) }
          return (state.holder, change)
        }
        switch state.holder {
        case .user: return (state.holder, nil)
        case .guest(_, _, let isSet): if isSet || !asksGuests { return (state.holder, nil) }
        case .unset, .lost: break
        }
        return (state.holder, startQuestion(about: nil, &state))
      }
      guard let change else { return holder }
      try await wait(for: change)
      asksGuests = false
    }
  }

  /// Draws the consequences of a session's end: asks the app, once for all calls that met it.
  func fail(_ user: User, _ error: OstiaryError) async throws {
    let change = state.withLock { state -> Change? in
      guard case .user(let present) = state.holder, present === user else { return nil }
      if let change = state.change { return change }
      return startQuestion(about: (user, error), &state)
    }
    if let change { try await wait(for: change) }
  }

  /// Notes that the server has accepted a call.
  func noteAccepted(_ user: User) {
    state.withLock { state in
      guard state.failures > 0 || !state.refused.isEmpty, case .user(let present) = state.holder, present === user
      else {
        return
      }
      state.failures = 0
      state.refused = []
    }
  }

  private func wait(for change: Change) async throws {
    do {
      try await change.work.value()
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      // Settings that an app sets by itself fail for the caller that set them. A caller that only waited goes on with
      // the present settings.
      if change.isQuestion, (error as? OstiaryError)?.code != .salesforceSettingsSuperseded { throw error }
    }
  }

  /// Starts asking. The lock is held.
  private func startQuestion(about failure: (User, OstiaryError)?, _ state: inout State) -> Change {
    let change = Change(isQuestion: true)
    state.change = change
    let handlers = state.handlers
    change.work.launch { [self] in
      do {
        try await ask(change, handlers, failure)
      } catch {
        self.state.withLock { if $0.change === change { $0.change = nil } }
        throw error
      }
    }
    return change
  }

  private func ask(
    _ change: Change, _ handlers: SalesforceServiceHandlers, _ failure: (user: User, error: OstiaryError)?
  ) async throws {
    var error = failure?.error
    if let failure {
      guard try await isToAskAgain(change, handlers, failure.error, failed: failure.user.connection.usedTokens)
      else { return }
      try lose(change, failure.user, failure.error)
    } else if case .lost(_, let earlier) = state.withLock({ $0.holder }) {
      error = earlier
    }
    while true {
      switch try await answer(change, handlers) {
      case .insufficient:
        // What is set is enough, says the app; if that has just failed, there is nothing.
        return try settle(change, .guest(nil, error, isSet: false), cause: .answeredByApp)
      case .abandoned:
        let declined = OstiaryError(
          .interactionCancelled, "The app gave up answering the question for settings.", requestMayHaveExecuted: false)
        return try settle(change, .guest(nil, declined, isSet: false), cause: .declined)
      case .settings(nil):
        return try settle(change, .guest(nil, error, isSet: false), cause: .answeredByApp)
      case .settings(let settings?):
        do {
          return try await use(settings, change)
        } catch let refusal as OstiaryError where refusal.disposition == .terminal {
          guard refusal.code != .salesforceSettingsSuperseded else { throw refusal }
          error = refusal
          let token = (settings.tokens?.accessToken).map { [$0] } ?? []
          guard try await isToAskAgain(change, handlers, refusal, failed: token) else { return }
        }
      }
    }
  }

  /// Tells the app of a failure.
  /// - Returns: whether it wants to be asked again; otherwise a guest uses the service now.
  private func isToAskAgain(
    _ change: Change, _ handlers: SalesforceServiceHandlers, _ error: OstiaryError, failed tokens: [Secret]
  ) async throws -> Bool {
    let failures = try state.withLock { state throws -> Int in
      guard state.change === change else { throw OstiaryError.salesforceSettingsSuperseded }
      state.failures += 1
      state.refused.formUnion(tokens)
      return state.failures
    }
    if failures < max(1, configuration.maximumFailures), error.code != .salesforceSettingsUnusable,
      let tell = handlers.authenticationFailed, await tell(error, type)
    {
      return true
    }
    try settle(change, .guest(nil, error, isSet: false), cause: .rejectedByServer)
    return false
  }

  /// Notes that there is no user any more, but that the app wants to be asked for one.
  private func lose(_ change: Change, _ user: User, _ error: OstiaryError) throws {
    try state.withLock { state throws in
      guard state.change === change else { throw OstiaryError.salesforceSettingsSuperseded }
      state.holder = .lost(user, error)
    }
  }

  /// The app's answer: the one that could not be verified the last time, or a new one.
  private func answer(
    _ change: Change, _ handlers: SalesforceServiceHandlers
  ) async throws -> SalesforceSettingsReply.Answer {
    if let settings = state.withLock({ $0.unverified.take() }) { return .settings(settings) }
    guard let ask = handlers.shouldAuthenticate else { return .insufficient }
    let work = SharedWork<SalesforceSettingsReply.Answer>()
    var timer: Task<Void, any Error>?
    if let patience = configuration.answerPatience {
      timer = Task { [clock] in
        try await clock.sleep(for: patience)
        work.abandon(with: OstiaryError(.signInTimedOut, "The app did not answer the question for settings in time."))
      }
    }
    defer { timer?.cancel() }
    let type = type
    // The app may answer before it returns; and what it returns counts only as far as it says that nothing will come.
    let asking = SharedWork<Bool>()
    asking.launch {
      // Made here, so that only the app has it afterwards, and letting go of it is noticed.
      let willAnswer = await ask(type, SalesforceSettingsReply(work))
      if !willAnswer { work.finish(.success(.insufficient)) }
      return willAnswer
    }
    return try await work.value()
  }

  /// Verifies an answer and uses it.
  private func use(_ settings: SalesforceSettings, _ change: Change) async throws {
    guard let user = try user(for: settings) else {
      return try settle(change, .guest(settings, nil, isSet: false), cause: .answeredByApp)
    }
    if let token = settings.tokens?.accessToken, state.withLock({ $0.refused.contains(token) }) {
      throw OstiaryError.salesforceSettingsUnusable("The app handed over the token again that had just failed.")
    }
    do {
      try await user.connection.verify()
    } catch let error as OstiaryError where error.isTransient {
      state.withLock { if $0.change === change { $0.unverified = settings } }
      throw error
    }
    try settle(change, .user(user), cause: .answeredByApp)
  }
}
