public import Foundation
internal import OstiaryPega

/// Runs an activity.
#if canImport(ObjectiveC)
  @objc(PMRunActivityAction)
#endif
public final class PMRunActivityAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - activityName: the activity.
  ///   - className: its class.
  #if canImport(ObjectiveC)
    @objc(initWithPortalURL:activityName:className:)
  #endif
  public init(portalURL: URL?, activityName: String, className: String) {
    super.init(portalURL: portalURL, kind: .runActivity(activityName, className: className))
  }

  /// Makes an action, for callers with an `NSURL`.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  @_disfavoredOverload
  public convenience init(portalURL: NSURL?, activityName: String, className: String) {
    self.init(portalURL: Self.url(portalURL), activityName: activityName, className: className)
  }
}
