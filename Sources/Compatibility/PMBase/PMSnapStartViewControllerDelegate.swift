/// Hears what becomes of a SnapStart view's actions: one start, then one finish or failure for each. Every method may be left out.
///
/// An action has started when it is being performed, and has finished when its user has nothing more to do there: then the vendor's sample
/// takes the view away. The first page of a web view is no finish.
///
/// Each event can be heard under three spellings. Swift 3 and later make ``snapStart(_:didStartAction:)`` and its like of the vendor's
/// Objective-C selectors, Swift 2 made ``snapStartController(_:didStartAction:)``, and whether the vendor's header has Swift names of its
/// own is not known. A class implements one of them.
@preconcurrency @MainActor
public protocol PMSnapStartViewControllerDelegate: AnyObject {
  // MARK: As Swift 3 and later import it

  /// An action is being performed.
  func snapStart(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction)

  /// An action has failed.
  /// - Parameter error: an error in `PMAuthenticationErrorDomain`; its code is that of invalid credentials when no
  ///   user is logged in.
  func snapStart(
    _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error)

  /// An action is finished.
  func snapStart(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction)

  /// The web view's process died; its page is gone. Happens only where there is a web view.
  func snapStartControllerWebContentProcessDidTerminate(_ controller: PMSnapStartViewController)

  // MARK: As Swift 2 imported it

  /// An action is being performed.
  func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction)

  /// An action has failed.
  func snapStartController(
    _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: any Error)

  /// An action is finished.
  func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction)

  // MARK: With the words left out, and the first one kept

  /// An action is being performed.
  func snapStartController(_ controller: PMSnapStartViewController, didStart action: PMSnapStartAction)

  /// An action has failed.
  func snapStartController(
    _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error)

  /// An action is finished.
  func snapStartController(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction)
}

// Each spelling hands on to the next.
extension PMSnapStartViewControllerDelegate {
  public func snapStart(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
    snapStartController(controller, didStart: action)
  }
  public func snapStart(
    _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error
  ) {
    snapStartController(controller, didFail: action, withError: error)
  }
  public func snapStart(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) {
    snapStartController(controller, didFinish: action)
  }
  public func snapStartController(_ controller: PMSnapStartViewController, didStart action: PMSnapStartAction) {
    snapStartController(controller, didStartAction: action)
  }
  public func snapStartController(
    _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error
  ) {
    snapStartController(controller, didFailAction: action, withError: error)
  }
  public func snapStartController(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) {
    snapStartController(controller, didFinishAction: action)
  }
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

/// An earlier spelling of Ostiary's.
@available(*, deprecated, renamed: "PMSnapStartViewControllerDelegate")
public typealias PMSnapStartControllerDelegate = PMSnapStartViewControllerDelegate
