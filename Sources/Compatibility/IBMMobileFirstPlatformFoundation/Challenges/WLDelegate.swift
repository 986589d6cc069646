internal import Ostiary

/// Gets what came of a login form, on the main actor.
///
/// A drop-in for the protocol of this name in IBM's MobileFirst SDK 8.0.
@preconcurrency @MainActor
public protocol WLDelegate: AnyObject, Sendable {
  /// The server answered with a status from 200 to 299, after redirects. Whether that means success the receiver has to
  /// find out.
  func onSuccess(_ response: WLResponse!)

  /// The server answered with another status, or not at all.
  func onFailure(_ response: WLFailResponse!)
}

extension Outcome {
  /// Hands the response over.
  @MainActor
  func hand(to delegate: any WLDelegate) {
    if case .success(let response) = self {
      delegate.onSuccess(WLResponse(response))
    } else {
      delegate.onFailure(failResponse)
    }
  }

  /// Hands the response over, on the main actor, to a delegate that there may be.
  func tell(_ delegate: (any WLDelegate)?) async {
    await MainActorDelivery.deliver {
      if let delegate { hand(to: delegate) }
    }.value
  }
}
