public import Foundation
internal import Ostiary
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
    change(completion) { connection in
      try await connection.push.register(
        SalesforcePush.Device(token: deviceToken, bundle: bundle, communityID: connection.tokens?.communityID))
    }
  }

  /// Ends the registration for push notifications.
  /// - Parameter completion: whether the org has forgotten the device.
  @preconcurrency
  public func unregister(forPushNotifications completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)? = nil) {
    change(completion) { try await $0.push.unregister() }
  }

  private func change(
    _ completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)?,
    _ work: @escaping @Sendable (SalesforceConnection) async throws -> Void
  ) {
    Task { [settings] in
      do {
        guard let connection = settings.connection else {
          throw OstiaryError(
            .salesforceSettingsUnusable, "Guests are sent no notifications.", advice: "Sign in first.",
            requestMayHaveExecuted: false)
        }
        try await work(connection)
        await completion?(true, nil)
      } catch {
        await completion?(false, ServiceErrors.aboutSettings(error))
      }
    }
  }
}
