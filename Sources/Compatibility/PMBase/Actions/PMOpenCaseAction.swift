public import Foundation
internal import OstiaryPega

/// Opens a case.
#if canImport(ObjectiveC)
  @objc(PMOpenCaseAction)
#endif
public final class PMOpenCaseAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - insHandle: the case's key, `CLASS ID` with a space between.
  #if canImport(ObjectiveC)
    @objc(initWithPortalURL:insHandle:)
  #endif
  public init(portalURL: URL?, insHandle: String) {
    super.init(portalURL: portalURL, kind: .openCase(handle: insHandle))
  }

  /// Makes an action, for callers with an `NSURL`.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  @_disfavoredOverload
  public convenience init(portalURL: NSURL?, insHandle: String) {
    self.init(portalURL: Self.url(portalURL), insHandle: insHandle)
  }
}
