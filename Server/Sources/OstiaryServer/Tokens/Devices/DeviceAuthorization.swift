public import Foundation
public import OstiaryCore

/// What a device without a browser has been given to be let in with (RFC 8628 §3.2).
public struct DeviceAuthorization: Sendable {
  /// What the device polls with.
  public let deviceCode: Secret
  /// What the person types: ten letters, 43 bits, without vowels. Compared without regard to case, spaces and hyphens.
  public let userCode: String
  /// How long the device waits between two polls.
  public let interval: Duration
  /// When the codes end.
  public let expiresAt: Date
}
