/// Gets what came of a login form, on the main actor.
///
/// A drop-in for the protocol of this name in IBM's MobileFirst SDK 8.0.
@preconcurrency @MainActor
public protocol WLDelegate: AnyObject {
  /// The server answered with a status from 200 to 299, after redirects. Whether that means success the receiver has to
  /// find out.
  func onSuccess(_ response: WLResponse!)

  /// The server answered with another status, or not at all.
  func onFailure(_ response: WLFailResponse!)
}
