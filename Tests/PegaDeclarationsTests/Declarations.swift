// Every declaration of the vendor's that is in the table of PMAuthentication's article "The vendor's declarations", used as an app uses
// it. This file is compiled in Swift 5 and Swift 6 mode: one target has it as it is, and the other has a copy, which a test compares.

import Foundation
import PMAuthentication
import PMBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// MARK: PMAuthentication

final class AuthenticationUser {
  let authenticator: PMPegaAuthenticator

  init(_ url: URL) {
    authenticator = PMPegaAuthenticator(serverURL: url)
  }

  func configure() {
    authenticator.loginActivity = PMPegaAuthenticationLoginActivity.accessGroupDetails
    authenticator.loginActivity = .mobileAppConfiguration
  }

  func logIn(_ user: String, _ pass: String, _ done: @escaping @Sendable (Int) -> Void) {
    authenticator.logIn(withUsername: user, password: pass) { (json, error) in
      if let error = error as NSError? { return done(error.code) }
      done(json?.count ?? 0)
    }
  }

  func logOff(_ done: @escaping @Sendable (Error?) -> Void) {
    authenticator.logOff { (error) in done(error) }
    authenticator.logOff(completionHandler: done)
  }

  func ask(_ done: @escaping @Sendable (Bool) -> Void) {
    authenticator.isLoggedIn { (success, json, error) in done(success && json != nil && error == nil) }
    authenticator.isLoggedIn(completionHandler: { success, _, _ in done(success) })
  }

  func asynchronously() async throws {
    let json: [String: Any] = try await authenticator.logIn(withUsername: "jdoe", password: "secret")
    let (success, response): (Bool, [String: Any]) = try await authenticator.isLoggedIn()
    if success, json.count == response.count { try await authenticator.logOff() }
  }

  func name(_ error: NSError) -> String {
    guard error.domain == PMAuthenticationErrorDomain else { return "other" }
    switch error.code {
    case PMAuthenticationErrorInvalidCredentials: return "credentials"
    case PMAuthenticationErrorInternal: return "internal"
    case PMAuthenticationErrorInvalidInputData: return "input"
    case PMAuthenticationErrorNetwork: return "network"
    case PMAuthenticationErrorUnexpectedServerResponse: return "response"
    case PMAuthenticationErrorWrongClientVersion: return "version"
    default: break
    }
    switch PMAuthenticationError(rawValue: error.code) {
    case .invalidCredentials?, .internal?, .invalidInputData?, .network?: return "known"
    case .unexpectedServerResponse?, .wrongClientVersion?: return "known"
    default: return "unknown"
    }
  }
}

@available(*, deprecated)
final class PageUser {
  // The vendor's page, in the Swift of its time.
  func page(_ address: String) {
    let url = NSURL(string: address)
    let authenticator = PMPegaAuthenticator(serverURL: url)
    authenticator.loginActivity = PMPegaAuthenticationLoginActivity.AccessGroupDetails
    authenticator.loginActivity = PMPegaAuthenticationLoginActivity.MobileAppConfiguration
    authenticator.logInWithUsername("user", password: "pass") { (json, error) in }
    authenticator.logOffWithCompletionHandler() { (error) in }
    authenticator.isLoggedInWithCompletionHandler() { (isSuccess, json, error) in }
  }

  @MainActor
  func snapStart(_ controller: PMSnapStartViewController, _ action: PMSnapStartAction) {
    controller.performAction(action)
  }
}

// MARK: PMBase

@MainActor
final class SnapStartUser: NSObject, PMSnapStartViewControllerDelegate {
  let snapStartController = PMSnapStartViewController()
  var events: [String] = []

  func start(_ url: URL) {
    snapStartController.delegate = self
    snapStartController.webViewName = "caseWebView"
    let actions: [PMSnapStartAction] = [
      PMCreateCaseAction(portalURL: url, flowType: "pyStartCase", insClass: "Work-"),
      PMOpenCaseAction(portalURL: url, insHandle: "WORK- A-1"),
      PMOpenAssignmentAction(portalURL: url, insHandle: "ASSIGN-WORKLIST A-1"),
      PMShowHarnessAction(portalURL: url, harnessName: "New", className: "Work-"),
      PMRunActivityAction(portalURL: url, activityName: "Do", className: "Work-"),
    ]
    for action in actions {
      action.additionalProperties = ["key": "value"]
      snapStartController.perform(action)
    }
  }

  func snapStart(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
    events.append("start")
  }

  func snapStart(_ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: Error) {
    events.append("fail")
  }

  func snapStart(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) {
    events.append("finish")
  }

  func snapStartControllerWebContentProcessDidTerminate(_ controller: PMSnapStartViewController) {}
}

@MainActor
final class Swift2SnapStartUser: NSObject, PMSnapStartViewControllerDelegate {
  func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {}
  func snapStartController(
    _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: Error
  ) {}
  func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction) {}
}

@MainActor
final class CustomAuthenticator: NSObject, PMSnapStartAuthenticationDelegate {
  func authenticatedRequest(completionHandler: @escaping (URLRequest?, Error?) -> Void) {
    completionHandler(URL(string: "https://host/prweb").map { URLRequest(url: $0) }, nil)
  }

  func use(_ controller: PMSnapStartViewController) { controller.authenticationDelegate = self }
}

@MainActor
final class ApplicationUser: NSObject {
  let pmDelegate = PMApplicationDelegate()

  func launch(_ application: NSObject, _ options: [String: Any]?) -> Bool {
    PMLog.sharedInstance().setLogLevel(PMLogLevel.debug)
    PMLog.sharedInstance.logLevel = .debug
    return pmDelegate.application(application, willFinishLaunchingWithOptions: options)
      && pmDelegate.application(application, didFinishLaunchingWithOptions: options)
  }

  func events(_ application: NSObject) {
    pmDelegate.applicationWillResignActive(application)
    pmDelegate.applicationDidEnterBackground(application)
    pmDelegate.applicationWillEnterForeground(application)
    pmDelegate.applicationDidBecomeActive(application)
    pmDelegate.applicationWillTerminate(application)
  }
}
