// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// What all challenge handlers have in common: a name, and a challenge that can be cancelled.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0 and before. Only the session manager uses the list of waiting
/// requests.
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

  /// Makes a handler, as version 7.1 named it.
  /// - Parameter realm: any name; a client keeps one handler of a name.
  nonisolated public init!(realm: String!) {
    challenges = PendingChallenges(name: realm)
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

  /// ``handlerName``, as version 7.1 named it.
  nonisolated public var realm: String! {
    get { handlerName }
    set { handlerName = newValue }
  }

  /// Answers a challenge of MobileFirst's own. It is not called: see ``SecurityCheckChallengeHandler``.
  /// - Parameter challenge: what the server says about it.
  open func handleChallenge(_ challenge: [AnyHashable: Any]!) {}

  /// Cancels the challenge in hand: every request that waits for it fails with
  /// ``WLErrorCode/challengeHandlingCanceled``. Without a challenge nothing happens. May be called by any thread.
  nonisolated open func cancel() {
    challenges.end(.cancelled)
  }

  /// ``cancel()``, as version 7.1 named it.
  /// - Parameter challenge: the response that began the challenge.
  nonisolated open func submitFailure(_ challenge: WLResponse!) { cancel() }

  /// Does nothing: `submitSuccess(_:)` sends the requests that wait again.
  @available(*, deprecated, message: "submitSuccess(_:) sends the requests that wait again.")
  nonisolated public func releaseWaitingList() {}

  /// Does nothing: ``cancel()`` tells the requests that wait.
  @available(*, deprecated, message: "cancel() tells the requests that wait.")
  nonisolated public func clearWaitingList() {}

  /// The name; nothing that a subclass keeps, which may be a password.
  nonisolated open override var description: String { "\(type(of: self))(\(handlerName ?? "no name"))" }
  nonisolated open override var debugDescription: String { description }
}
