public import Foundation

/// https://developer.apple.com/documentation/uikit/uiresponder
///
/// It is no `NSObject` here: an initializer of the main actor can't override that class's in Swift, as Objective-C's does.
@MainActor
open class UIResponder: Hashable {
  public init() {}
  public nonisolated static func == (lhs: UIResponder, rhs: UIResponder) -> Bool { lhs === rhs }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor
open class UIView: UIResponder {
  public init(frame: CGRect) {}
  open var isHidden = false
  /// https://developer.apple.com/documentation/uikit/uiaccessibilityidentification
  open var accessibilityIdentifier: String?
}

/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor
open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  public convenience override init() { self.init(nibName: nil, bundle: nil) }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView!
  open func loadView() {}
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  open var presentedViewController: UIViewController? { nil }
  open var presentingViewController: UIViewController? { nil }
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {}
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

/// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
  case fullScreen = 0
  case automatic = -2
}
