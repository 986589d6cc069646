public import Foundation

extension Notification.Name {
  /// The authentication settings of a service have changed. The object is the ``ServiceCloud``; ``SCSServiceTypeKey`` in
  /// the user information has the ``SCServiceType``. Posted on the main actor.
  public static let SCSAuthenticationSettingsUpdated = Notification.Name(UnpublishedNames.settingsUpdated)
}

/// Among the user information of a notification that settings have changed: which service's.
public let SCSServiceTypeKey = UnpublishedNames.serviceTypeKey

/// In the payload of a push notification: the case that it is about.
public let SCSNotificationPayloadKeyCaseId = UnpublishedNames.caseIDKey
