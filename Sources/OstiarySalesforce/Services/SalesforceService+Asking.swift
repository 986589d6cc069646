internal import Foundation
internal import OstiaryCore

// The question to the app: at most one at a time, and every caller that needs its outcome waits for the same one.
extension SalesforceService {
  /// Notes an answer of the server: one that accepts a call ends a row of failures.
  func note(_ response: TransportResponse, to user: User) {
    state.withLock { state in
      guard state.failures > 0 || !state.refused.isEmpty, case .user(let present) = state.holder, present === user,
        SalesforceFailure.isServersOwn(response)
      else { return }
      state.failures = 0
      state.refused = []
    }
  }

  /// Starts asking. The lock is held.
  func startQuestion(about failure: (User, OstiaryError)?, _ state: inout State) -> Change {
    let change = Change(nil)
    state.change = change
    let handlers = state.handlers
    change.work.launch { [self] in
      do {
        return try await ask(change, handlers, failure)
      } catch {
        self.state.withLock { if $0.change === change { $0.change = nil } }
        throw error
      }
    }
    return change
  }

  private func ask(
    _ change: Change, _ handlers: SalesforceServiceHandlers, _ failure: (user: User, error: OstiaryError)?
  ) async throws -> Holder {
    var error = failure?.error
    if let failure {
      // A sign-out says nothing of the tokens.
      let isSignOut = (failure.error.underlying as? OstiaryError)?.code == .signedOut
      let tokens = isSignOut ? [] : failure.user.connection.usedTokens
      if let end = try await end(change, handlers, failure.error, failed: tokens) { return end }
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
        } catch let refusal as OstiaryError where refusal.endsSettings {
          error = refusal
          let token = (settings.tokens?.accessToken).map { [$0] } ?? []
          if let end = try await end(change, handlers, refusal, failed: token) { return end }
        }
      }
    }
  }

  /// Tells the app of a failure.
  /// - Returns: the guest who uses the service now; `nil` when the app wants to be asked again.
  private func end(
    _ change: Change, _ handlers: SalesforceServiceHandlers, _ error: OstiaryError, failed tokens: [Secret]
  ) async throws -> Holder? {
    let failures = try state.withLock { state throws -> Int in
      guard state.change === change else { throw OstiaryError.salesforceSettingsSuperseded }
      state.failures += 1
      state.refused.formUnion(tokens)
      return state.failures
    }
    if failures < max(1, configuration.maximumFailures), error.code != .salesforceSettingsUnusable,
      let tell = handlers.authenticationFailed, try await wantsQuestion(tell, error)
    {
      return nil
    }
    return try settle(change, .guest(nil, error, isSet: false), cause: .rejectedByServer)
  }

  private func wantsQuestion(
    _ tell: @escaping @Sendable (OstiaryError, SalesforceServiceType) async -> Bool, _ error: OstiaryError
  ) async throws -> Bool {
    let work = SharedWork<Bool>()
    let timer = patience(for: work)
    defer { timer.cancel() }
    // Apart from this task: a question that is over must not cancel the app's code.
    let telling = SharedWork<Void>()
    telling.launch { [self] in
      work.finish(.success(await AppCallback.run(for: self) { await tell(error, type) }))
    }
    return try await work.value()
  }

  /// Ends the wait for the app when it takes too long.
  private func patience<Value: Sendable>(for work: SharedWork<Value>) -> OneTimer {
    OneTimer(after: configuration.answerPatience, clock: clock) {
      work.abandon(with: OstiaryError(.signInTimedOut, "The app did not answer the question for settings in time."))
    }
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
    let timer = patience(for: work)
    defer { timer.cancel() }
    // The app may answer before it returns; and what it returns counts only as far as it says that nothing will come.
    let asking = SharedWork<Void>()
    asking.launch { [self] in
      // The reply is made here, so that only the app has it afterwards, and letting go of it is noticed.
      let willAnswer = await AppCallback.run(for: self) { await ask(type, SalesforceSettingsReply(work)) }
      if !willAnswer { work.finish(.success(.insufficient)) }
    }
    return try await work.value()
  }

  /// Verifies an answer and uses it.
  private func use(_ settings: SalesforceSettings, _ change: Change) async throws -> Holder {
    guard let user = try user(for: settings) else {
      return try settle(change, .guest(settings, nil, isSet: false), cause: .answeredByApp)
    }
    if let token = settings.tokens?.accessToken, state.withLock({ $0.refused.contains(token) }) {
      throw OstiaryError.salesforceSettingsUnusable("The app handed over the token again that had just failed.")
    }
    let session: Session
    do {
      session = try await user.connection.verify()
    } catch let error as OstiaryError where !error.endsSettings {
      // It can be asked again.
      state.withLock { if $0.change === change { $0.unverified = settings } }
      throw error
    }
    return try settle(change, .user(user.verified(by: session)), cause: .answeredByApp)
  }
}

extension OstiaryError {
  /// Whether other settings are needed: by the server's own word about the token, or because they can't be used at all.
  fileprivate var endsSettings: Bool { code == .salesforceSessionInvalid || code == .salesforceSettingsUnusable }
}
