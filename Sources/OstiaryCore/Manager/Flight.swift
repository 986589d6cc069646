internal import Foundation
internal import HTTPTypes

/// One piece of shared work that many callers wait for: a restore, a renewal, a sign-in.
///
/// The work belongs to nobody's task. A caller that is cancelled stops waiting; the work and the others go on.
final class Flight: Sendable {
  private struct State {
    var outcome: Result<Void, any Error>?
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<UInt64> = []
    var nextWaiter: UInt64 = 0
    var task: Task<Void, Never>?
  }

  /// What the work is for.
  let purpose: Purpose
  /// The session that the work signed in to, if it did.
  let granted = Locked<Session?>(nil)
  /// The challenge that began it, until somebody answers it.
  private let unanswered = Locked<Challenge?>(nil)
  private let state = Locked(State())

  enum Purpose: Sendable {
    /// Read the store, nothing else.
    case restore
    /// See what another process has stored. A store that can't tell now changes nothing.
    case look
    /// Get a session without a credential.
    case renew
    /// Get a session by any means the app allows; the challenge is the one that made it necessary, if one did.
    case ensure(Cause, Challenge? = nil)
    /// Sign in with this credential.
    case signIn(Credential)

    /// Whether the server may be asked for it.
    var needsServer: Bool {
      switch self {
      case .look, .restore: false
      case .renew, .ensure, .signIn: true
      }
    }
  }

  init(purpose: Purpose) {
    self.purpose = purpose
    if case .ensure(_, let challenge?) = purpose { unanswered.withLock { $0 = challenge } }
  }

  /// Where the challenge that began the work was met, if asking there again has no effect.
  var challengedAddress: URL? {
    guard case .ensure(_, let challenge?) = purpose, challenge.original.head.method.isSafe else { return nil }
    return challenge.original.head.targetURL
  }

  /// The challenge that began the work; `nil` from the second time on, as what it holds may then be used up.
  func takeChallenge() -> Challenge? { unanswered.withLock { $0.take() } }

  /// Whether a failure of this work is also the failure of a caller with that purpose, or whether that caller should
  /// try by its own means.
  func speaks(for other: Purpose) -> Bool {
    switch (purpose, other) {
    case (.look, .look), (.restore, .restore), (.renew, .renew), (.ensure, .ensure), (.ensure, .renew),
      (.ensure, .restore),
      (.renew, .restore):
      true
    default: false
    }
  }

  /// Whether a caller with that purpose has what it needs once this work has landed well: a session, or having looked.
  func serves(_ other: Purpose) -> Bool { purpose.needsServer || !other.needsServer }

  /// Starts the work.
  func launch(_ work: @escaping @Sendable () async throws -> Void) {
    let task = Task.detached {
      do {
        try await work()
        self.finish(.success(()))
      } catch {
        self.finish(.failure(error))
      }
    }
    state.withLock { $0.task = task }
  }

  /// Ends the work early: everybody waiting gets `error`, and what the work still finds out is thrown away.
  func abandon(with error: any Error) {
    finish(.failure(error))
    state.withLock { $0.task }?.cancel()
  }

  /// Waits for the outcome.
  /// - Throws: what the work threw, or `CancellationError` when the caller's task is cancelled first.
  func wait() async throws {
    let id = state.withLock { state in
      state.nextWaiter &+= 1
      return state.nextWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let known: Result<Void, any Error>? = state.withLock { state in
          if let outcome = state.outcome { return outcome }
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          state.waiters[id] = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        guard let waiter = state.waiters.removeValue(forKey: id) else {
          if state.outcome == nil { state.cancelled.insert(id) }
          return nil as CheckedContinuation<Void, any Error>?
        }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func finish(_ outcome: Result<Void, any Error>) {
    let waiters = state.withLock { state in
      guard state.outcome == nil else { return [CheckedContinuation<Void, any Error>]() }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
  }
}
