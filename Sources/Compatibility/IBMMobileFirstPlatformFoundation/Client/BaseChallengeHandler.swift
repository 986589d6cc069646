// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// What all challenge handlers have in common: a name, and a challenge that can be cancelled.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0. The vendor's `handleChallenge:` for dictionaries
/// belongs to the handlers of MobileFirst's own security checks, which are not part of this module. Only the session
/// manager uses the list of waiting requests.
@preconcurrency @MainActor
open class BaseChallengeHandler: NSObject {
  nonisolated let challenges: PendingChallenges

  /// Makes a handler without a name.
  nonisolated public override init() {
    challenges = PendingChallenges(name: nil)
    super.init()
  }

  /// Makes a handler.
  /// - Parameter name: any name; a client keeps one handler of a name.
  nonisolated public init!(name: String!) {
    challenges = PendingChallenges(name: name)
    super.init()
  }

  deinit {
    // A handler that is gone can't answer, so the requests that wait for it must end now.
    challenges.end(.abandoned)
  }

  /// The handler's name.
  nonisolated public var handlerName: String! {
    get { challenges.name }
    set { challenges.name = newValue }
  }

  /// Cancels the challenge in hand: every request that waits for it fails with
  /// ``WLErrorCode/challengeHandlingCanceled``. Without a challenge nothing happens. May be called by any thread.
  nonisolated open func cancel() {
    challenges.end(.cancelled)
  }

  /// Not needed: the requests that wait are told when a challenge is answered or cancelled.
  @available(*, unavailable, message: "submitSuccess(_:) sends the requests that wait again.")
  nonisolated public func releaseWaitingList() {}

  /// Not needed: the requests that wait are told when a challenge is answered or cancelled.
  @available(*, unavailable, message: "cancel() tells the requests that wait.")
  nonisolated public func clearWaitingList() {}

  /// The name; nothing that a subclass keeps, which may be a password.
  nonisolated open override var description: String { "\(type(of: self))(\(handlerName ?? "no name"))" }
  nonisolated open override var debugDescription: String { description }
}
