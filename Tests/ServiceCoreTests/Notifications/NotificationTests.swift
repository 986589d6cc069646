import Foundation
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import ServiceCore
import TestSupport
import Testing

@Suite("Notifications", .timeLimit(.minutes(20)))
@MainActor
struct NotificationTests {
  @Test("A case's push notification is recognised, also one about cases in general; others are not")
  func payloads() {
    let cloud = ServiceCloud(environment: ServiceCoreEnvironment())
    let payload: [AnyHashable: Any] = ["aps": ["alert": "News"], SCSNotificationPayloadKeyCaseId: "500x0000003HgrP"]
    let notification = cloud.notification(fromRemoteNotificationDictionary: payload) as? SCSCaseNotification
    #expect(notification?.notificationType == .case)
    #expect(notification?.caseId.hasPrefix("500x0000003HgrP") == true)
    #expect(notification?.referencesSpecificCase == true)
    let general = cloud.notification(fromRemoteNotificationDictionary: ["notificationType": "case"])
    #expect((general as? SCSCaseNotification)?.referencesSpecificCase == false)
    #expect(cloud.notification(fromRemoteNotificationDictionary: ["aps": ["alert": "News"]]) == nil)
    #expect(cloud.notification(fromRemoteNotificationDictionary: [:]) == nil)
  }

  @Test("Salesforce-E3: showing the interface asks for settings, reads the case and hands it over")
  func showInterface() async throws {
    try await Stage.with { stage in
      stage.handler.answer = { [org = stage.org] _, completion in
        completion(org.settings())
        return true
      }
      let notification = try #require(
        stage.cloud.notification(
          fromRemoteNotificationDictionary: [SCSNotificationPayloadKeyCaseId: "500x0000003HgrP"]))
      let (status, caseId) = await withCheckedContinuation { continuation in
        stage.cloud.interfacePresenter = { notification, record, _ in
          continuation.resume(returning: (record?.statusCode, (notification as? SCSCaseNotification)?.caseId))
        }
        #expect(stage.cloud.showInterface(for: notification))
      }
      #expect(status == 200)
      #expect(stage.org.log == ["ask cases", Stage.verification, "GET \(Stage.cases)/\(caseId ?? "")"])
    }
  }

  @Test("Salesforce-E6: nil signs out: completion, notification, and the other service is left alone")
  func signOut() async throws {
    try await Stage.with { stage in
      let (names, sink) = AsyncStream<SCServiceType?>.makeStream()
      let observer = NotificationCenter.default.addObserver(
        forName: .SCSAuthenticationSettingsUpdated, object: stage.cloud, queue: nil
      ) { sink.yield($0.userInfo?[SCSServiceTypeKey] as? SCServiceType) }
      defer { NotificationCenter.default.removeObserver(observer) }
      #expect(await stage.set(stage.settings()).success)
      #expect(await stage.set(stage.settings(), .knowledge).success)
      let (success, error) = await stage.set(nil)
      #expect(success && error == nil)
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) == nil)
      #expect(stage.cloud.authenticationSettings(forServiceType: .knowledge)?.areSettingsValid == true)
      var changes = names.makeAsyncIterator()
      for expected in [SCServiceType.cases, .knowledge, .cases] {
        let seen = await changes.next()
        #expect(seen == .some(expected))
      }
    }
  }

  @Test("Salesforce-E12: signing out unregisters the device, and does not wait for it")
  func pushEndsWithSignOut() async throws {
    try await Stage.with { stage in
      let settings = try #require(stage.settings())
      #expect(await stage.set(settings).success)
      let isRegistered = await withCheckedContinuation { continuation in
        settings.register(forPushNotifications: Data([1])) { success, _ in continuation.resume(returning: success) }
      }
      #expect(isRegistered && stage.org.devices.count == 1)
      #expect(await stage.set(nil).success)
      try await waitUntil("the end of the registration") { stage.org.devices.isEmpty }
      #expect(stage.org.log.contains { $0.hasPrefix("DELETE ") })
    }
  }
}
