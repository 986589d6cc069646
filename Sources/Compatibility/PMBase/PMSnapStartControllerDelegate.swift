/// Hears what becomes of a SnapStart view's actions: one start, then one finish or failure for each.
@preconcurrency @MainActor
public protocol PMSnapStartControllerDelegate: AnyObject {
  /// An action is being performed.
  func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction)

  /// An action has failed.
  /// - Parameter error: an error in `PMAuthenticationErrorDomain`; its code is that of invalid credentials when no
  ///   user is logged in.
  func snapStartController(
    _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: any Error)

  /// The server has answered an action.
  func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction)

  /// The web view's process died; its page is gone. Happens only where there is a web view.
  func snapStartControllerWebContentProcessDidTerminate(_ controller: PMSnapStartViewController)
}

// Every method may be left out, as in Objective-C.
extension PMSnapStartControllerDelegate {
  public func snapStartController(
    _ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction
  ) {}
  public func snapStartController(
    _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: any Error
  ) {}
  public func snapStartController(
    _ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction
  ) {}
  public func snapStartControllerWebContentProcessDidTerminate(_ controller: PMSnapStartViewController) {}
}
