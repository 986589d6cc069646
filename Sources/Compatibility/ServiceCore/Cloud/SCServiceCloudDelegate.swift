public import SalesforceSDKCore

/// Makes decisions on behalf of the SDK. Everything is optional, and everything is called on the main actor.
///
/// A drop-in for the protocol of this name in Salesforce's Embedded Service SDK, as far as authentication goes. What the
/// vendor's protocol had besides, about view controllers, is never called here; code that implements it compiles.
///
/// See the vendor's page "Authentication".
@preconcurrency @MainActor
public protocol SCServiceCloudDelegate: AnyObject {
  /// Asks whether the user should be authenticated for a service. Not implemented, the current settings are used.
  ///
  /// It is asked at most once at a time for each service, and not at all where the app has set settings by itself.
  /// - Parameters:
  ///   - completion: takes the settings, before or after this returns, on any thread; `nil` means that a guest goes on.
  ///     Only the first call counts, and a call that comes after the app has set settings by itself does nothing. When it
  ///     is dropped without a call, the current settings are used.
  /// - Returns: whether settings will be given to `completion`; `false` when the current ones are enough.
  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping @Sendable (SCSAuthenticationSettings?) -> Void
  ) -> Bool

  /// Tells that authentication has failed: the access token is expired, or the settings can't be used. Not implemented,
  /// a guest goes on.
  /// - Parameter error: an error in ``SCServiceErrorDomain``.
  /// - Returns: `true` to be asked again for settings, and have the request that failed sent again; `false` to go on as a
  ///   guest.
  func serviceCloud(
    _ serviceCloud: ServiceCloud, authenticationFailed error: any Error, forServiceType service: SCServiceType
  ) -> Bool

  /// The older form of ``serviceCloud(_:shouldAuthenticateServiceType:completion:)``, asked where that one is missing.
  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateService service: SCServiceType,
    completion: @escaping @Sendable (SFUserAccount?) -> Void
  ) -> Bool

  /// The older form of ``serviceCloud(_:authenticationFailed:forServiceType:)``, told where that one is missing.
  func serviceCloud(_ serviceCloud: ServiceCloud, serviceAuthenticationFailedWithError error: any Error)
}

extension SCServiceCloudDelegate {
  public func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping @Sendable (SCSAuthenticationSettings?) -> Void
  ) -> Bool {
    self.serviceCloud(serviceCloud, shouldAuthenticateService: service) { account in
      completion(account.flatMap { SCSAuthenticationSettings(mobileSDK: $0) })
    }
  }

  public func serviceCloud(
    _ serviceCloud: ServiceCloud, authenticationFailed error: any Error, forServiceType service: SCServiceType
  ) -> Bool {
    self.serviceCloud(serviceCloud, serviceAuthenticationFailedWithError: error)
    return false
  }

  public func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateService service: SCServiceType,
    completion: @escaping @Sendable (SFUserAccount?) -> Void
  ) -> Bool { false }

  public func serviceCloud(_ serviceCloud: ServiceCloud, serviceAuthenticationFailedWithError error: any Error) {}
}
