// Uses every declaration of the vendor's that the table of `Primer` has. It is compiled in Swift 6 mode with PrimerTests, and in
// Swift 5 mode with PrimerSamplesTests.

import Foundation
import OstiaryTesting
import Primer
import Testing

/// A delegate with every method of the vendor's protocol.
@MainActor
private class ProbeDelegate: PMRExperienceDelegate, PMRPurchaseDelegate {
  func handleFields(_ fields: [String: Any], completion: @escaping PMRSuccessBlock) { completion(true) }
  func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) { completion(nil) }
  func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) { completion(nil, "u1") }
  func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) { completion(nil, "u1") }
  func validateFacebookUser(withFields fields: [String: Any], completion: @escaping PMRFacebookUserValidationBlock) {
    completion(nil, "u1", true)
  }
  func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock) {
    completion(PMRValidationResult())
  }
  func willClose(withFields fields: [String: Any]) {}
  func screenDidAppear(withName name: String, triggers: [String]) {}
  func handleTrigger(_ trigger: String, completion: @escaping PMRSuccessBlock) { completion(false) }
  func validateUniqueFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) { completion(nil) }
  func authenticateFacebook(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    completion(nil, nil)
  }
  func areProductsAvailable(withIdentifiers identifiers: [String], completion: @escaping PMRProductsAvailabilityBlock) {
    completion(identifiers)
  }
}

/// A class of an app that is of no actor and becomes a delegate afterwards, as most did.
private class PlainManager {
  var closings = 0
}

extension PlainManager: PMRExperienceDelegate {
  func willClose(withFields fields: [String: Any]) { closings += 1 }
}

@MainActor
@Suite("Primer: the vendor's declarations", .timeLimit(.minutes(20)))
struct PrimerDeclarationsProbe {
  private let delegate = ProbeDelegate()

  private func use(_ body: () -> Void) {
    let service = PrimerService(
      environment: PrimerEnvironment(
        transport: ScriptedTransport(), store: { FaultyStore() }, clock: ManualClock()))
    PrimerService.$current.withValue(service, operation: body)
  }

  @Test(
    "Bug-D06 Primer: every declaration of the table that is about starting and experiences compiles and can be called")
  func experiences() {
    use {
      let options: [AnyHashable: Any] = [
        PMRLaunchOptionsDeferredAppLinkURLKey: "x", PMRLaunchOptionsIsFirstRunKey: true,
      ]
      Primer.setDelayedLaunchEnabled(true)
      Primer.start()
      Primer.start(withToken: "token")
      Primer.start(withOptions: options)
      Primer.start(withToken: "token", options: options)
      #expect(Primer.isInitialized() == false)
      Primer.delayedLaunch(withOptions: options)
      #expect(Primer.isInitialized())
      Primer.setShouldUseOptimizedConnection(false)
      Primer.setExperienceDelegate(delegate)
      Primer.setPurchaseDelegate(delegate)
      let settings = PMRExperienceSettings()
      let types: [PMRExperienceType] = [.automatic, .newUser, .login, .recoverPassword]
      for type in types { settings.experienceType = type }
      settings.shouldPresentAnimated = false
      settings.shouldDismissAnimated = false
      settings.shouldUseWindowBasedPresentation = true
      settings.presentingViewController = nil
      settings.screenName = "account"
      Primer.presentExperience()
      Primer.presentExperience(with: settings)
      Primer.presentExperience(completion: { success in _ = success })
      Primer.presentExperience(with: settings, andCompletion: { success in _ = success })
      Primer.presentExperience { _ in }
      let isPresenting: Bool = Primer.isPresentingExperience()
      #expect(!isPresenting && Primer.currentExperience() == nil)
      Primer.loadExperience(completion: { controller in _ = controller })
      Primer.load(.login, withCompletion: { controller in _ = controller })
      Primer.loadExperienceType(.login, withCompletion: { controller in _ = controller })
      Primer.goToNextExperienceScreen()
      Primer.pauseExperience()
      Primer.pauseExperience(completion: { success in _ = success })
      Primer.resumeExperience()
      Primer.resumeExperience(completion: { success in _ = success })
      let existed: Bool = Primer.fireTrigger("terms")
      #expect(!existed)
      Primer.dismissExperience()
      Primer.dismissExperience(completion: { success in _ = success })
      let version: String = Primer.version()
      #expect(version == "3.6.0")
    }
    let result = PMRValidationResult()
    result.invalidate(withErrorMessage: "Error message.")
    result.invalidateWithErrorMessage("Error message.")
    result.invalidateField("key")
    result.invalidateField("key", withErrorMessage: "Error message.")
    #expect(!result.isValid)
  }

  @Test(
    "Bug-D06 Primer: every declaration of the table that is about users, events and logging compiles and can be called")
  func users() {
    use {
      Primer.setLoggingLevel(.none)
      let levels: [PMRLoggingLevel] = [.none, .error, .warning, .info, .debug]
      #expect(levels.map(\.rawValue) == [0, 1, 2, 3, 4])
      Primer.setRequiresLogin(true)
      let user: PMRUser = Primer.currentUser()
      let id: String? = user.userID
      user.name = "Ann"
      let name: String? = user.name
      let properties: [String: Any] = user.properties
      let tests: [PMRUserABNTest] = user.activeABNTests
      let texts: [String?] = tests.flatMap { [$0.name, $0.variation] }
      let viewed: String? = user.lastViewedVariation
      #expect(id == nil && name == "Ann" && properties.isEmpty && texts.isEmpty && viewed == nil)
      Primer.signUpUser()
      Primer.signUpUser(withID: "u1")
      Primer.logInUser()
      Primer.logInUser(withID: "u1")
      Primer.appendUserProperties(["plan": "trial"])
      Primer.trackEvent(withName: "Invited a friend", parameters: ["count": 2])
      Primer.trackEvent(withName: "Opened", parameters: nil)
      Primer.logOutUser()
      Primer.applicationDidRegisterUserNotificationSettings()
      Primer.setShouldUseIDFA(false)
      Primer.setSanitizeEnabled(true)
      Primer.getInstallAttribution(completion: { attribution in Self.look(at: attribution) })
      Primer.getLatestAttribution { attribution in Self.look(at: attribution) }
      Primer.getLink(forTargeting: "friends", withParameters: nil) { link in #expect(link == nil) }
      Primer.getLink(forTargeting: "friends", withParameters: ["a": 1], completion: { _ in })
    }
    let notification: Notification.Name = .PMREventFired
    #expect(notification.rawValue == "PMREventFiredNotification" && notification == PMREventFiredNotification)
    let keys = [PMREventNotificationNameKey, PMREventNotificationParametersKey, PMREventNotificationTypeKey]
    #expect(Set(keys).count == 3)
  }

  private static func look(at attribution: PMRAttribution) {
    let texts: [String?] = [
      attribution.deepLink, attribution.linkName, attribution.sourceName, attribution.targetingKey,
      attribution.targetingName,
    ]
    #expect(texts.allSatisfy { $0 == nil } && !attribution.isReferral)
    #expect(attribution.parameters.isEmpty && attribution.sender.isEmpty)
  }

  @Test("Bug-D06 Primer: the deprecated declarations of the table compile and can be called")
  func deprecated() {
    use { (OldNames() as any Callable).call() }
  }

  @Test("Bug-D06 Primer: a delegate need be of no actor")
  func plainDelegate() {
    let manager = PlainManager()
    use { Primer.setExperienceDelegate(manager) }
    manager.willClose(withFields: [:])
    #expect(manager.closings == 1)
  }

  @Test("Bug-D06 Primer: there are 19 constants for events, each with a text of its own")
  func events() {
    let names: [String] = [
      PMRSessionStartedEvent, PMRSignupEvent, PMRLoginEvent, PMRFacebookLoginEvent, PMRLogoutEvent, PMRFlowStartedEvent,
      PMRFlowCompletedEvent, PMRFlowSkippedEvent, PMRScreenDisplayedEvent, PMRActionTappedEvent,
      PMRPermissionRequestedEvent, PMRPermissionGrantedEvent, PMRPermissionDeniedEvent, PMRPermissionRestrictedEvent,
      PMRPurchasedEvent, PMRSubscribedEvent, PMRInAppPurchaseCancelledEvent, PMRInAppPurchaseRestrictedEvent,
      PMRInAppPurchaseFailedEvent,
    ]
    #expect(Set(names).count == 19 && names.allSatisfy { !$0.isEmpty })
  }
}

private protocol Callable {
  func call()
}

/// What the vendor's own header has as deprecated.
private struct OldNames: Callable {
  @available(*, deprecated)
  func call() {
    let types: [PMRExperienceType] = [.install, .loggedOut, .signup]
    #expect(types.allSatisfy { $0 == .newUser })
    Primer.setCookieAttributionEnabled(false)
  }
}
