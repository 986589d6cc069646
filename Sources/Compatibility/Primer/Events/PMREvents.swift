public import Foundation
internal import Ostiary
internal import OstiaryExperiences

extension Notification.Name {
  /// An event has happened; posted on the main queue. The user info has ``PMREventNotificationNameKey``,
  /// ``PMREventNotificationParametersKey`` and ``PMREventNotificationTypeKey``.
  public static let PMREventFired = Notification.Name("PMREventFiredNotification")
}

/// `Notification.Name.PMREventFired` by its Objective-C name.
public let PMREventFiredNotification = Notification.Name.PMREventFired
/// The event's name, in a notification.
public let PMREventNotificationNameKey = "PMREventNotificationNameKey"
/// The event's parameters, in a notification. `pmr_event_id` among them tells events apart.
public let PMREventNotificationParametersKey = "PMREventNotificationParametersKey"
/// Whether the event is the SDK's or the app's own, in a notification: `standard` or `custom`.
public let PMREventNotificationTypeKey = "PMREventNotificationTypeKey"

/// The names of the SDK's own events. The vendor published that there are such constants, but not their texts.
public enum PMREvent {
  /// A launch of the app.
  public static let sessionStarted = UserEvent.Name.sessionStarted
  /// A user has signed up.
  public static let signup = UserEvent.Name.signUp
  /// A user has logged in.
  public static let login = UserEvent.Name.login
  /// A known user has logged in with Facebook.
  public static let facebookLogin = UserEvent.Name.providerLogin
  /// A user has logged out.
  public static let logout = UserEvent.Name.logout
  /// A flow was shown.
  public static let flowStarted = ExperienceEvent.Name.flowStarted.rawValue
  /// A flow came to its end.
  public static let flowCompleted = ExperienceEvent.Name.flowCompleted.rawValue
  /// A flow was left before its end.
  public static let flowSkipped = ExperienceEvent.Name.flowSkipped.rawValue
  /// A screen was shown.
  public static let screenDisplayed = ExperienceEvent.Name.screenDisplayed.rawValue
  /// An action was used.
  public static let actionTapped = ExperienceEvent.Name.actionTapped.rawValue
  /// A permission is asked for.
  public static let permissionRequested = ExperienceEvent.Name.permissionRequested.rawValue
  /// A permission was granted.
  public static let permissionGranted = ExperienceEvent.Name.permissionGranted.rawValue
  /// A permission was denied.
  public static let permissionDenied = ExperienceEvent.Name.permissionDenied.rawValue
}

/// Tells the rest of the app of events.
enum PMREventPoster {
  static func post(_ event: UserEvent) {
    MainActorDelivery.post {
      var parameters = event.parameters.mapValues(PropertyBridge.foundation)
      parameters["pmr_event_id"] = event.id
      NotificationCenter.default.post(
        name: .PMREventFired, object: nil,
        userInfo: [
          PMREventNotificationNameKey: event.name, PMREventNotificationParametersKey: parameters,
          PMREventNotificationTypeKey: event.kind.rawValue,
        ])
    }
  }
}
