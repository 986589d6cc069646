public import Foundation
internal import OstiaryPega

/// Creates a case.
#if canImport(ObjectiveC)
  @objc(PMCreateCaseAction)
#endif
public final class PMCreateCaseAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - flowType: the flow that creates it, such as `pyStartCase`.
  ///   - insClass: the class of the case.
  #if canImport(ObjectiveC)
    @objc(initWithPortalURL:flowType:insClass:)
  #endif
  public init(portalURL: URL?, flowType: String, insClass: String) {
    super.init(portalURL: portalURL, kind: .createCase(flowType: flowType, insClass: insClass))
  }

  /// Makes an action, for callers with an `NSURL`.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  @_disfavoredOverload
  public convenience init(portalURL: NSURL?, flowType: String, insClass: String) {
    self.init(portalURL: Self.url(portalURL), flowType: flowType, insClass: insClass)
  }
}
