/// A push notification about a case.
///
/// A drop-in for the class of this name in Salesforce's Embedded Service SDK.
public final class SCSCaseNotification: SCSNotification {
  /// The case; empty when the notification refers to none in particular.
  public let caseId: String
  /// Whether the notification refers to a case in particular.
  public var referencesSpecificCase: Bool { !caseId.isEmpty }

  init(caseId: String) {
    self.caseId = caseId
    super.init(.case)
  }
}
