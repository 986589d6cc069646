public import Foundation
internal import OstiaryPega

/// Creates a case.
public final class PMCreateCaseAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - flowType: the flow that creates it, such as `pyStartCase`.
  ///   - insClass: the class of the case.
  public nonisolated init(portalURL: URL?, flowType: String, insClass: String) {
    super.init(portalURL: portalURL, kind: .createCase(flowType: flowType, insClass: insClass))
  }

  /// Makes an action, for callers with an `NSURL`.
  @_disfavoredOverload
  public nonisolated convenience init(portalURL: NSURL?, flowType: String, insClass: String) {
    self.init(portalURL: Self.url(portalURL), flowType: flowType, insClass: insClass)
  }
}

/// Opens an assignment.
public final class PMOpenAssignmentAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - insHandle: the assignment's key.
  public nonisolated init(portalURL: URL?, insHandle: String) {
    super.init(portalURL: portalURL, kind: .openAssignment(handle: insHandle))
  }

  /// Makes an action, for callers with an `NSURL`.
  @_disfavoredOverload
  public nonisolated convenience init(portalURL: NSURL?, insHandle: String) {
    self.init(portalURL: Self.url(portalURL), insHandle: insHandle)
  }
}

/// Opens a case.
public final class PMOpenCaseAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - insHandle: the case's key, `CLASS ID` with a space between.
  public nonisolated init(portalURL: URL?, insHandle: String) {
    super.init(portalURL: portalURL, kind: .openCase(handle: insHandle))
  }

  /// Makes an action, for callers with an `NSURL`.
  @_disfavoredOverload
  public nonisolated convenience init(portalURL: NSURL?, insHandle: String) {
    self.init(portalURL: Self.url(portalURL), insHandle: insHandle)
  }
}

/// Runs an activity.
public final class PMRunActivityAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - activityName: the activity.
  ///   - className: its class.
  public nonisolated init(portalURL: URL?, activityName: String, className: String) {
    super.init(portalURL: portalURL, kind: .runActivity(activityName, className: className))
  }

  /// Makes an action, for callers with an `NSURL`.
  @_disfavoredOverload
  public nonisolated convenience init(portalURL: NSURL?, activityName: String, className: String) {
    self.init(portalURL: Self.url(portalURL), activityName: activityName, className: className)
  }
}

/// Shows a harness.
public final class PMShowHarnessAction: PMSnapStartAction {
  /// Makes an action.
  /// - Parameters:
  ///   - portalURL: the server's address.
  ///   - harnessName: the harness.
  ///   - className: its class.
  public nonisolated init(portalURL: URL?, harnessName: String, className: String) {
    super.init(portalURL: portalURL, kind: .showHarness(harnessName, className: className))
  }

  /// Makes an action, for callers with an `NSURL`.
  @_disfavoredOverload
  public nonisolated convenience init(portalURL: NSURL?, harnessName: String, className: String) {
    self.init(portalURL: Self.url(portalURL), harnessName: harnessName, className: className)
  }
}
