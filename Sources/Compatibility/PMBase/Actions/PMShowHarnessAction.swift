public import Foundation
internal import OstiaryPega

/// Shows a harness.
#if canImport(ObjectiveC)
  @objc(PMShowHarnessAction)
#endif
public final class PMShowHarnessAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - harnessName: the harness.
  ///   - className: its class.
  #if canImport(ObjectiveC)
    @objc(initWithPortalURL:harnessName:className:)
  #endif
  public init(portalURL: URL?, harnessName: String, className: String) {
    super.init(portalURL: portalURL, kind: .showHarness(harnessName, className: className))
  }

  /// Makes an action, for callers with an `NSURL`.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  @_disfavoredOverload
  public convenience init(portalURL: NSURL?, harnessName: String, className: String) {
    self.init(portalURL: Self.url(portalURL), harnessName: harnessName, className: className)
  }
}
