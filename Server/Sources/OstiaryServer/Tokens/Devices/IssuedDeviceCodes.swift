package import Foundation
package import OstiaryCore

/// The codes for the approval of a device without a browser (RFC 8628 §3.2).
package struct IssuedDeviceCodes: Sendable {
  /// The code with which the device polls.
  package let deviceCode: Secret
  /// The code that the person types: ten letters, 43 bits, without vowels. Compared without regard to case, spaces and hyphens.
  package let userCode: String
  /// How long the device waits between two polls.
  package let interval: Duration
  /// When the codes end.
  package let expiresAt: Date
}

/// A device that waits for a user's approval, as the page shows it to the user.
package struct DeviceRequest: Hashable, Sendable {
  /// The client that asks.
  package let clientID: String
  /// The scopes that it asks for.
  package let scopes: [String]
  /// The door's values.
  package let attributes: [String: JSONValue]
}

/// The result of a device's poll (RFC 8628 §3.5).
package enum DeviceDecision: Sendable {
  /// A user has approved the device. The device code is spent.
  case issued(IssuedTokens)
  /// The user has not decided yet.
  case pending
  /// The device polls too often; from now on it has to wait this long.
  case slowDown(interval: Duration)
  /// A user has refused. The device code is spent.
  case denied
  /// The user has not decided in time.
  case expired
  /// Another reason: an unknown or spent code, a code of another client, a user or client that was disabled meanwhile.
  case refused(TokenRefusal)
}

extension AuditCause {
  /// Why a device gets no tokens; nil if it may ask again.
  init?(_ decision: DeviceDecision) {
    switch decision {
    case .denied: self = .denied
    case .expired: self = .expired
    case .issued, .pending, .slowDown, .refused: return nil
    }
  }
}
