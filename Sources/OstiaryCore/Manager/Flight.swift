internal import Foundation
internal import HTTPTypes

/// One piece of shared work that many callers wait for: a restore, a renewal, a sign-in.
///
/// The work belongs to nobody's task. A caller that is cancelled stops waiting; the work and the others go on.
final class Flight: Sendable {
  /// What the work is for.
  let purpose: Purpose
  /// The session that the work signed in to, if it did.
  let granted = Locked<Session?>(nil)
  /// The challenge that began it, until somebody answers it.
  private let unanswered = Locked<Challenge?>(nil)
  private let work = SharedWork<Void>()

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
  func launch(_ body: @escaping @Sendable () async throws -> Void) { work.launch(body) }

  /// Ends the work early: everybody waiting gets `error`, and what the work still finds out is thrown away.
  func abandon(with error: any Error) { work.abandon(with: error) }

  /// Waits for the outcome.
  /// - Throws: what the work threw, or `CancellationError` when the caller's task is cancelled first.
  func wait() async throws { try await work.value() }
}
