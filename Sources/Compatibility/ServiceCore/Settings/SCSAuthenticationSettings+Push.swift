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
    let bundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let device = SalesforcePush.Device(
      token: deviceToken, bundle: bundle, communityID: settings.connection?.tokens?.communityID)
    change(completion) { try await $0.register(device) }
  }

  /// Ends the registration for push notifications.
  /// - Parameter completion: whether the org has forgotten the device.
  @preconcurrency
  public func unregister(forPushNotifications completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)? = nil) {
    change(completion) { try await $0.unregister() }
  }

  private func change(
    _ completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)?,
    _ work: @escaping @Sendable (SalesforcePush) async throws -> Void
  ) {
    let refusal = OstiaryError(
      .salesforceSettingsUnusable, "Guests are sent no notifications.", advice: "Sign in first.",
      requestMayHaveExecuted: false)
    (settings.connection?.beginPush(work) ?? CapturedCall(.failure(refusal))).report(to: completion) {}
  }
}
