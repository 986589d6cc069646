public import Foundation

/// Where an installation or a launch came from. The vendor's service knew that; it is gone, so everything is empty here.
public final class PMRAttribution: NSObject, Sendable {
  /// Whether another user has sent the link. It is never so here.
  public var isReferral: Bool { false }
  /// The deep link; always `nil` here.
  public var deepLink: String? { nil }
  /// The link's name; always `nil` here.
  public var linkName: String? { nil }
  /// The parameters; always empty here.
  public var parameters: [String: Any] { [:] }
  /// What is known of the user who has sent the link; always empty here.
  public var sender: [String: Any] { [:] }
  /// The source's name; always `nil` here.
  public var sourceName: String? { nil }
  /// The targeting's key; always `nil` here.
  public var targetingKey: String? { nil }
  /// The targeting's name; always `nil` here.
  public var targetingName: String? { nil }

  override init() {
    super.init()
  }
}

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

extension PrimerService {
  /// Answers a call that takes the vendor's service.
  func answerWithoutService(_ what: String, _ answer: @escaping @MainActor @Sendable () -> Void) {
    log.logger.warning("There is no service for \(what) any more: Primer's was shut down. The call has an empty answer.")
    MainActorDelivery.deliver { answer() }
  }
}
