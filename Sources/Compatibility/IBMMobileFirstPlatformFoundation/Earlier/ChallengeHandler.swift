// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Foundation
internal import Ostiary

/// ``GatewayChallengeHandler``, as version 7.1 named it. To be subclassed.
///
/// A drop-in for the class of this name in IBM's MobileFirst Platform Foundation 7.1: ``isCustomResponse(_:)`` recognises,
/// ``BaseChallengeHandler/submitFailure(_:)`` cancels. All else is ``GatewayChallengeHandler``'s.
@preconcurrency @MainActor
open class ChallengeHandler: GatewayChallengeHandler {
  /// Makes a handler without a name.
  nonisolated public override init() { super.init() }

  /// Makes a handler.
  /// - Parameter name: any name; a client keeps one handler of a name.
  nonisolated public override init!(name: String!) { super.init(name: name) }

  /// Makes a handler.
  /// - Parameter realm: any name; a client keeps one handler of a name. It is not used for recognising.
  nonisolated public override init!(realm: String!) { super.init(realm: realm) }

  /// Makes a handler, as version 8.0 named it.
  /// - Parameter gatewayName: any name; a client keeps one handler of a name.
  nonisolated public override init!(gatewayName: String!) { super.init(gatewayName: gatewayName) }

  /// Whether a response is a challenge of this gateway. To be overridden; `false` unless ``isCustom(_:)`` is.
  ///
  /// Called for almost every response, with any status, on any thread. It must only look at the response.
  nonisolated open func isCustomResponse(_ response: WLResponse!) -> Bool { isCustom(response) }

  /// ``isCustomResponse(_:)`` as Swift 3 and later call it, which drop what the type of the parameter says.
  nonisolated open func isCustom(_ response: WLResponse!) -> Bool { false }

  nonisolated open override func canHandle(_ response: WLResponse!) -> Bool { isCustomResponse(response) }

  /// Answers a challenge by an adapter's procedure. Those belong to the vendor's service: nothing is sent, and
  /// ``GatewayChallengeHandler/onFailure(_:)`` gets the reason.
  nonisolated open func submitAdapterAuthentication(
    _ wlInvocationData: WLProcedureInvocationData!, options requestOptions: [AnyHashable: Any]!
  ) {
    let error = WLProcedureInvocationData.unavailable(wlInvocationData)
    MainActorDelivery.deliver { self.onFailure(Outcome.failure(error).failResponse) }
  }
}
