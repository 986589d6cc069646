public import Foundation

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
