public import Foundation
internal import SalesforceSDKCore

/// A push notification that an org sent to the app, in one of its subclasses.
///
/// ``ServiceCloud/notification(fromRemoteNotificationDictionary:)`` makes them. A drop-in for the class of this name in
/// Salesforce's Embedded Service SDK; it is a `class` that can't be subclassed elsewhere.
public class SCSNotification: NSObject {
  /// What it is about.
  public let notificationType: SCSNotificationType

  init(_ type: SCSNotificationType) {
    notificationType = type
    super.init()
  }
}

/// What a push notification is about.
///
/// See the vendor's class reference for `SCSNotification`.
public enum SCSNotificationType: Int, Sendable, CaseIterable {
  /// A case.
  case `case` = 1
}

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

extension Notification.Name {
  /// The authentication settings of a service have changed. The object is the ``ServiceCloud``; ``SCSServiceTypeKey`` in
  /// the user information has the ``SCServiceType``. Posted on the main actor.
  public static let SCSAuthenticationSettingsUpdated = Notification.Name(SalesforceSDKName.settingsUpdated.current)
}

/// Among the user information of a notification that settings have changed: which service's.
public let SCSServiceTypeKey = SalesforceSDKName.serviceTypeKey.current

/// In the payload of a push notification: the case that it is about.
public let SCSNotificationPayloadKeyCaseId = SalesforceSDKName.caseIDKey.current
