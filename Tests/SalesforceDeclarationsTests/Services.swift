import Foundation
import SalesforceSDKCore
import ServiceCore

// Uses every declaration of the table of ServiceCore once.

// What an app of each language mode has in its signatures.
#if swift(>=6)
  typealias SettingsCompletion = @Sendable (SCSAuthenticationSettings?) -> Void
  typealias AccountCompletion = @Sendable (SFUserAccount?) -> Void
#else
  typealias SettingsCompletion = (SCSAuthenticationSettings?) -> Void
  typealias AccountCompletion = (SFUserAccount?) -> Void
#endif

#if swift(>=6)
  @MainActor
#endif
final class ServiceDelegate: NSObject, SCServiceCloudDelegate {
  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping SettingsCompletion
  ) -> Bool {
    completion(nil)
    return true
  }
  func serviceCloud(
    _ serviceCloud: ServiceCloud, authenticationFailed error: Error, forServiceType service: SCServiceType
  ) -> Bool { false }
  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateService service: SCServiceType,
    completion: @escaping AccountCompletion
  ) -> Bool { false }
  func serviceCloud(_ serviceCloud: ServiceCloud, serviceAuthenticationFailedWithError error: Error) {}
}

@MainActor
enum ServiceDeclarations {
  static let delegate = ServiceDelegate()

  static func settings(_ account: SFUserAccount, _ url: URL) -> [SCSAuthenticationSettings] {
    let dictionary: [SCSOAuth2JSONKey: String] = [
      .instanceUrl: "https://na1.salesforce.com", .accessToken: "a", .refreshToken: "r",
      .identityUrl: url.absoluteString,
      .communityUrl: url.absoluteString, .communityId: "0DBx",
    ]
    let all = [
      SCSAuthenticationSettings(oauth2: dictionary, clientId: "key"), SCSAuthenticationSettings(mobileSDK: account),
      SCSAuthenticationSettings(guest: url),
    ].compactMap { $0 }
    for settings in all {
      let flags: [Bool] = [settings.isGuestUser, settings.areSettingsValid, settings.isVerifyingSettings]
      let name: String? = settings.username
      _ = (flags, name)
    }
    return all
  }

  static func calls(_ settings: SCSAuthenticationSettings, _ token: Data) {
    settings.verifySettings { (success, error) in _ = (success, error) }
    guard settings.supportsPushNotifications(), !settings.isRegisteredForPushNotifications else { return }
    settings.register(forPushNotifications: token) { (success, error) in _ = (success, error) }
    settings.register(forPushNotifications: token, completion: nil)
    settings.unregister(forPushNotifications: { (success, error) in _ = (success, error) })
  }

  static func awaited(_ settings: SCSAuthenticationSettings, _ token: Data) async throws -> [Bool] {
    let isValid: Bool = try await settings.verifySettings()
    let isRegistered: Bool = try await settings.register(forPushNotifications: token)
    let isUnregistered: Bool = try await settings.unregisterForPushNotifications()
    return [isValid, isRegistered, isUnregistered]
  }

  static func cloud(_ settings: SCSAuthenticationSettings?, _ url: URL, _ userInfo: [AnyHashable: Any]) {
    let cloud = ServiceCloud.shared()
    cloud.delegate = delegate
    let config = SCSServiceConfiguration(community: url, dataCategoryGroup: "Regions", rootDataCategory: "All")
    config.language = "en"
    config.imageFolderPath = "pictures"
    cloud.serviceConfiguration = config
    cloud.serviceConfiguration = SCSServiceConfiguration(community: config.communityURL)
    _ = (config.dataCategoryGroup, config.rootDataCategory)
    let directory: URL? = ServiceCloud.sharedDataDirectory
    ServiceCloud.sharedDataDirectory = directory
    cloud.setAuthenticationSettings(settings, forServiceType: .cases)
    cloud.setAuthenticationSettings(settings, forServiceType: SCServiceType.knowledge) { (success, error) in
      _ = (success, error)
    }
    let present: SCSAuthenticationSettings? = cloud.authenticationSettings(forServiceType: .cases)
    if let notification: SCSNotification = cloud.notification(fromRemoteNotificationDictionary: userInfo) {
      if notification.notificationType == SCSNotificationType.case,
        let notification = notification as? SCSCaseNotification
      {
        _ = (notification.caseId, notification.referencesSpecificCase)
      }
      cloud.showInterface(for: notification)
    }
    _ = present
  }

  static let codes: [SCServiceErrorCode] = [
    .userSessionExpiredOrInvalidError, .userRequestRefusedError, .userResourceNotFoundError,
    .authenticationSettingsError,
  ]
  static let knowledgeCodes: [SCSKnowledgeErrorCode] = [
    .noArticleFound, .cannotWriteFile, .dataNotFound, .invalidCategory, .invalidCategoryGroup, .notAuthenticated,
    .contentBecameInvalid,
  ]
  static let caseCodes: [SCSCaseErrorCode] = [.noCaseListNameDefined]
  static let texts: [String] = [
    SCServiceErrorDomain, SCServiceCloudErrorDomain, SCServiceCloudLoggingErrorDomain, SCSKnowledgeErrorDomain,
    SCSCaseErrorDomain,
    SCSOAuthInvalidSessionId, SCSNotificationPayloadKeyCaseId,
  ]
  static let updated: Notification.Name = .SCSAuthenticationSettingsUpdated
}
