internal import Logging

extension Primer {
  /// Tells where the installation came from: from nowhere known, at once. The vendor's service knew it.
  @preconcurrency
  public class func getInstallAttribution(completion: @escaping @MainActor @Sendable (PMRAttribution) -> Void) {
    service.answerWithoutService("attribution") { completion(PMRAttribution()) }
  }

  /// Tells where the last launch came from: from nowhere known, at once. The vendor's service knew it.
  @preconcurrency
  public class func getLatestAttribution(completion: @escaping @MainActor @Sendable (PMRAttribution) -> Void) {
    service.answerWithoutService("attribution") { completion(PMRAttribution()) }
  }

  /// Gets a link for a targeting: none, at once. The vendor's service made them.
  @preconcurrency
  public class func getLink(
    forTargeting targeting: String, withParameters parameters: [String: Any]?,
    completion: @escaping @MainActor @Sendable (String?) -> Void
  ) {
    service.answerWithoutService("links") { completion(nil) }
  }

  /// Does nothing: there is no attribution.
  @available(*, deprecated, message: "There is no attribution; take the call out.")
  public class func setCookieAttributionEnabled(_ isEnabled: Bool) {}
}

extension Primer {
  /// Does nothing but say so in the log: purchases are not part of this module.
  public class func setPurchaseDelegate(_ delegate: any PMRPurchaseDelegate) {
    service.log.logger.warning("Purchases are not part of this module; the purchase delegate is never asked.")
  }
}
