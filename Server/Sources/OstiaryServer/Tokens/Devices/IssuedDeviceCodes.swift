package import Foundation
package import OstiaryCore

/// What a device without a browser has been given to be let in with (RFC 8628 §3.2).
package struct IssuedDeviceCodes: Sendable {
  /// What the device polls with.
  package let deviceCode: Secret
  /// What the person types: ten letters, 43 bits, without vowels. Compared without regard to case, spaces and hyphens.
  package let userCode: String
  /// How long the device waits between two polls.
  package let interval: Duration
  /// When the codes end.
  package let expiresAt: Date
}

/// A device that waits for somebody to let it in, as the page that asks them shows it.
package struct DeviceRequest: Hashable, Sendable {
  /// Who asks.
  package let clientID: String
  /// What for.
  package let scopes: [String]
  /// What the door has put there.
  package let attributes: [String: JSONValue]
}

/// What a device's poll is answered with (RFC 8628 §3.5).
package enum DeviceDecision: Sendable {
  /// Somebody has let it in. The device code is spent.
  case issued(IssuedTokens)
  /// Nobody has decided yet.
  case pending
  /// The device polls too often; from now on it has to wait this long.
  case slowDown(interval: Duration)
  /// Somebody has said no. The device code is spent.
  case denied
  /// Nobody has decided in time.
  case expired
  /// Anything else: an unknown or spent code, another client's, a user or client kept out meanwhile.
  case refused(TokenRefusal)
}

extension AuditCause {
  /// Why a device gets no tokens; nil where it is to ask again.
  init?(_ decision: DeviceDecision) {
    switch decision {
    case .denied: self = .denied
    case .expired: self = .expired
    case .issued, .pending, .slowDown, .refused: return nil
    }
  }
}
