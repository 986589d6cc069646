import Foundation
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport

/// What a completion handler of a login or logout got, in a form that crosses tasks.
struct Ending: Sendable, Equatable {
  var code: String?
  var message: String?
  var number: Int?
  var wasOnMainQueue: Bool

  init(_ error: (any Error)?) {
    let error = error as NSError?
    code = error?.userInfo[WLErrorCode.userInfoKey] as? String
    message = error?.localizedDescription
    number = error?.code
    wasOnMainQueue = MainQueue.isCurrent
  }

  var isSuccess: Bool { number == nil }
  func says(_ text: String) -> Bool { message?.contains(text) ?? false }
}

extension World {
  /// The authorization manager of this world's client.
  var manager: WLAuthorizationManager { WLAuthorizationManager(client: client) }

  /// A second completion would end the test run.
  func login(
    _ credentials: [String: String]?, check: String = "gateway", by manager: WLAuthorizationManager? = nil
  ) async -> Ending {
    let manager = manager ?? self.manager
    return await withCheckedContinuation { continuation in
      manager.login(check, withCredentials: credentials) { continuation.resume(returning: Ending($0)) }
    }
  }

  func logout(_ check: String = "gateway") async -> Ending {
    await withCheckedContinuation { continuation in
      manager.logout(check) { continuation.resume(returning: Ending($0)) }
    }
  }

  /// - Returns: the error, and whether there was a token.
  func obtainAccessToken() async -> (ending: Ending, hasToken: Bool) {
    await withCheckedContinuation { continuation in
      manager.obtainAccessToken(forScope: "") { token, error in
        continuation.resume(returning: (Ending(error), token != nil))
      }
    }
  }

  /// Lets passwords travel to the gateway of the test, which is on this machine.
  func allowingHTTP(_ change: (inout MobileFirstGatewayConfiguration) -> Void = { _ in }) -> World {
    var configuration = client.gatewayConfiguration
    configuration.allowingInsecureHTTPForPasswords = true
    change(&configuration)
    client.gatewayConfiguration = configuration
    return self
  }
}
