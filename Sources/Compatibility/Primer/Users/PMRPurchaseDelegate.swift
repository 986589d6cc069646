/// Takes which products can't be bought; `nil` when all can.
public typealias PMRProductsAvailabilityBlock = @Sendable (_ unavailableIdentifiers: [String]?) -> Void

/// Answers questions about purchases. It is never asked here: the screens of purchases came from the vendor's service.
@preconcurrency @MainActor
public protocol PMRPurchaseDelegate: AnyObject {
  /// A screen with products was about to be presented.
  func areProductsAvailable(withIdentifiers identifiers: [String], completion: @escaping PMRProductsAvailabilityBlock)
}

extension Primer {
  /// Does nothing but say so in the log: purchases are not part of this module.
  public class func setPurchaseDelegate(_ delegate: any PMRPurchaseDelegate) {
    service.log.logger.warning("Purchases are not part of this module; the purchase delegate is never asked.")
  }
}

/// Among the options of a launch, the link that brought the user to the app. It makes no difference here.
public let PMRLaunchOptionsDeferredAppLinkURLKey = "PMRLaunchOptionsDeferredAppLinkURLKey"
/// Among the options of a launch, whether it is the first one. It makes no difference here.
public let PMRLaunchOptionsIsFirstRunKey = "PMRLaunchOptionsIsFirstRunKey"
