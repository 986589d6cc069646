internal import Foundation
internal import OstiaryExperiences

/// Tells the rest of the app of events.
enum PMREventPoster {
  static func post(_ event: UserEvent) {
    DispatchQueue.main.async {
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
