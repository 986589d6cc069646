public import Foundation
internal import Ostiary
internal import OstiaryCore
internal import OstiarySalesforce

extension SCSAuthenticationSettings {
  /// Whether the org knows this device, as far as is known here.
  public var isRegisteredForPushNotifications: Bool { settings.connection?.push.isRegistered == true }

  /// Whether these settings can register for push notifications: all but a guest's.
  public func supportsPushNotifications() -> Bool { settings.connection != nil }

  /// Registers a device for push notifications. One that is registered already is unregistered first.
  /// - Parameters:
  ///   - deviceToken: what the system gave to the app.
  ///   - completion: whether the org has registered it.
  @preconcurrency
  public func register(
    forPushNotifications deviceToken: Data, completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    let device = device(deviceToken)
    change { try await $0.register(device) }.report(to: completion) {}
  }

  /// Registers a device for push notifications. One that is registered already is unregistered first.
  /// - Returns: `true`.
  /// - Throws: an error in ``SCServiceErrorDomain`` when the org has not registered it.
  @discardableResult
  public func register(forPushNotifications deviceToken: Data) async throws -> Bool {
    let device = device(deviceToken)
    return try await Self.result(of: change { try await $0.register(device) })
  }

  /// Ends the registration for push notifications.
  /// - Parameter completion: whether the org has forgotten the device.
  @preconcurrency
  public func unregister(forPushNotifications completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)? = nil) {
    change { try await $0.unregister() }.report(to: completion) {}
  }

  /// Ends the registration for push notifications.
  /// - Returns: `true`.
  /// - Throws: an error in ``SCServiceErrorDomain`` when the org has not forgotten the device.
  @discardableResult
  public func unregisterForPushNotifications() async throws -> Bool {
    try await Self.result(of: change { try await $0.unregister() })
  }

  private func device(_ token: Data) -> SalesforcePush.Device {
    let bundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return SalesforcePush.Device(token: token, bundle: bundle, communityID: settings.connection?.tokens?.communityID)
  }

  private static func result(of call: CapturedCall<Void>) async throws -> Bool {
    do { try await call.value } catch { throw ServiceErrors.aboutSettings(error) }
    return true
  }

  private func change(_ work: @escaping @Sendable (SalesforcePush) async throws -> Void) -> CapturedCall<Void> {
    let refusal = OstiaryError(
      .salesforceSettingsUnusable, "Guests are sent no notifications.", advice: "Sign in first.",
      requestMayHaveExecuted: false)
    return settings.connection?.beginPush(work) ?? CapturedCall(.failure(refusal))
  }
}
