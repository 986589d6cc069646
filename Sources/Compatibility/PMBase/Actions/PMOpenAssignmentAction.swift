public import Foundation
internal import OstiaryPega

/// Opens an assignment.
#if canImport(ObjectiveC)
  @objc(PMOpenAssignmentAction)
#endif
public final class PMOpenAssignmentAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - insHandle: the assignment's key.
  #if canImport(ObjectiveC)
    @objc(initWithPortalURL:insHandle:)
  #endif
  public init(portalURL: URL?, insHandle: String) {
    super.init(portalURL: portalURL, kind: .openAssignment(handle: insHandle))
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
