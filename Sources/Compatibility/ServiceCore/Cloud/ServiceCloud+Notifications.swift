internal import Foundation
internal import Ostiary
internal import OstiarySalesforce
internal import SalesforceSDKCore

extension ServiceCloud {
  /// Reads a push notification.
  /// - Parameter userInfo: what the system handed to the app.
  /// - Returns: the notification, to be passed to ``showInterface(for:)``; `nil` when it is not one of Service Cloud's.
  public func notification(fromRemoteNotificationDictionary userInfo: [AnyHashable: Any]) -> SCSNotification? {
    SalesforceNotification(payload: JSONValue.members(ofUserInfo: userInfo), caseIDKey: SCSNotificationPayloadKeyCaseId)
      .map { notification in
        SCSCaseNotification(caseId: notification.caseID?.id18 ?? "")
      }
  }

  /// Shows what a notification is about: makes sure that a user is known, by asking the ``delegate`` if need be, reads the
  /// record and passes it to ``interfacePresenter``.
  /// - Returns: whether the notification is one that can be shown; what comes of it comes later.
  @discardableResult
  public func showInterface(for notification: SCSNotification) -> Bool {
    guard let caseId = (notification as? SCSCaseNotification)?.caseId else { return false }
    let records = "/services/data/v\(SalesforceSDKConfiguration.settings.apiVersion)/sobjects/Case"
    let path = caseId.isEmpty ? records : "\(records)/\(caseId)"
    begin("GET", path, nil, "", .cases, needsUser: true).start(Self.response) { outcome in
      await self.interfacePresenter?(SCSCaseNotification(caseId: caseId), outcome.value, outcome.refusal)
    }
    return true
  }
}
