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

  /// Makes an empty one.
  public override init() {
    super.init()
  }
}
