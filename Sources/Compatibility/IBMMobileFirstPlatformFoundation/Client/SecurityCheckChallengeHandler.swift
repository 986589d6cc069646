// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Foundation
internal import Ostiary

/// Hears of one of MobileFirst's own security checks. To be subclassed.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0. Answering such a check takes MobileFirst's token service,
/// which this module does not have:
///
/// - A request that the server answers with the check fails with ``WLErrorCode/authorizationFailure``, or with
///   ``WLErrorCode/missingChallengeHandler`` where no handler is registered for it. Its message names the check and the reason.
/// - ``handleFailure(_:)`` gets the reason as `failure`. ``BaseChallengeHandler/handleChallenge(_:)`` is not called, so that no user fills in a login
///   screen in vain.
/// - What the server says by itself about checks that succeeded or failed is handed on to ``handleSuccess(_:)`` and
///   ``handleFailure(_:)``.
/// - ``WLAuthorizationManager/login(_:withCredentials:withCompletionHandler:)`` with the name of the check signs in to the gateway,
///   and tells the handler, too.
@preconcurrency @MainActor
open class SecurityCheckChallengeHandler: BaseChallengeHandler {
  /// Makes a handler without a name.
  nonisolated public override init() { super.init() }

  /// Makes a handler.
  /// - Parameter name: the name of the security check.
  nonisolated public override init!(name: String!) { super.init(name: name) }

  /// Makes a handler, as version 7.1 named it.
  /// - Parameter realm: the name of the realm.
  nonisolated public override init!(realm: String!) { super.init(name: realm) }

  /// Makes a handler.
  /// - Parameter securityCheck: the name of the security check.
  nonisolated public init!(securityCheck: String!) { super.init(name: securityCheck) }

  /// The name of the security check.
  nonisolated public var securityCheck: String! { handlerName }

  /// Answers the check. That takes MobileFirst's token service: nothing is sent, and ``handleFailure(_:)`` gets the reason.
  /// - Parameter answer: what the check wants. It is not kept.
  nonisolated open func submitChallengeAnswer(_ answer: [AnyHashable: Any]!) {
    let message = "The answer to the security check \"\(handlerName ?? "")\" was not sent. \(CheckRefusal.reason)"
    MainActorDelivery.deliver { self.handleFailure(["failure": message]) }
  }

  /// The server says that the check has succeeded. To be overridden.
  /// - Parameter success: what the server says about it, such as `user`.
  open func handleSuccess(_ success: [AnyHashable: Any]!) {}

  /// The check has failed. To be overridden.
  /// - Parameter failure: what the server says about it; `failure` has a sentence where this module gives the reason.
  open func handleFailure(_ failure: [AnyHashable: Any]!) {}

  /// Calls the handler on the main actor, and returns when it has returned.
  nonisolated func tell(_ body: @escaping @MainActor @Sendable (SecurityCheckChallengeHandler) -> Void) async {
    await MainActorDelivery.deliver { body(self) }.value
  }
}

/// ``SecurityCheckChallengeHandler``, as versions before 8.0 named it.
public typealias WLChallengeHandler = SecurityCheckChallengeHandler
