/// Takes which products can't be bought; `nil` when all can.
public typealias PMRProductsAvailabilityBlock = @Sendable (_ unavailableIdentifiers: [String]?) -> Void

/// Answers questions about purchases. It is never asked here: the screens of purchases came from the vendor's service.
@preconcurrency @MainActor
public protocol PMRPurchaseDelegate: AnyObject {
  /// A screen with products was about to be presented.
  func areProductsAvailable(withIdentifiers identifiers: [String], completion: @escaping PMRProductsAvailabilityBlock)
}

/// Among the options of a launch, the link that brought the user to the app. It makes no difference here.
public let PMRLaunchOptionsDeferredAppLinkURLKey = "PMRLaunchOptionsDeferredAppLinkURLKey"
/// Among the options of a launch, whether it is the first one. It makes no difference here.
public let PMRLaunchOptionsIsFirstRunKey = "PMRLaunchOptionsIsFirstRunKey"
