// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import Ostiary

// What needs the vendor's own services.
extension WLClient {
  /// Sets the interval of the vendor's heartbeat, which this module does not send: without effect.
  public func setHeartBeatInterval(_ val: Int) {}

  /// Sets the device's name for the vendor's registration, which this module does not make: without effect.
  public func setDeviceID(_ uuid: String!) {}

  /// Sets the device's name at the vendor's registration service. It completes with
  /// ``WLErrorCode/applicationNotRegistered``, as this module registers no device.
  @preconcurrency
  public func setDeviceDisplayName(
    _ deviceDisplayName: String!, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)!
  ) {
    QueueDelivery.post(on: .main) { completionHandler?(Self.notRegistered) }
  }

  /// Gets the device's name from the vendor's registration service. It completes with
  /// ``WLErrorCode/applicationNotRegistered``, as this module registers no device.
  @preconcurrency
  public func getDeviceDisplayName(completionHandler: (@Sendable (String?, (any Error)?) -> Void)!) {
    QueueDelivery.post(on: .main) { completionHandler?(nil, Self.notRegistered) }
  }

  /// Pins a server's certificate. This module can't: from now on every request of this client fails, with an error that says what to
  /// use instead, as an app that pins must not go on without.
  public func pinTrustedCertificatePublicKey(fromFile certificateFilename: String!) {
    pinTrustedCertificatePublicKey(fromFiles: [certificateFilename ?? ""])
  }

  /// Pins servers' certificates. This module can't: from now on every request of this client fails, with an error that says what to
  /// use instead, as an app that pins must not go on without.
  public func pinTrustedCertificatePublicKey(fromFiles certificateFilenames: [Any]!) {
    state.withLock {
      $0.obstacle = OstiaryError(
        .invalidRequest,
        "The app pins a certificate, which this module can't do; nothing was sent.",
        advice: "Pin it with NSPinnedDomains in the Info.plist, and remove the call of pinTrustedCertificatePublicKey.",
        disposition: .misuse, requestMayHaveExecuted: false)
    }
  }

  private static var notRegistered: NSError? {
    Outcome.failure(
      OstiaryError(
        .noTokenService, "MobileFirst's registration service is not part of this module: the device has no name there.",
        disposition: .misuse, requestMayHaveExecuted: false)
    ).error
  }
}

/// The scope that every token of the vendor's has. Its value is not published; this is what the vendor's other platforms send.
public let WL_DEFAULT_ACCESS_TOKEN_SCOPE: String = "RegisteredClient"
/// A code of the vendor's OAuth errors. This module reports none.
public let ERROR_OAUTH_PREVENT_REDIRECT: String = "ERROR_OAUTH_PREVENT_REDIRECT"
/// A code of the vendor's OAuth errors. This module reports none.
public let ERROR_OAUTH_CANCELED: String = "ERROR_OAUTH_CANCELED"

/// Tells a version.
public final class IBMMobileFirstPlatformFoundationHelper: NSObject {
  /// The version of the vendor's SDK whose names this module has.
  public class func version() -> String! { "8.0.0" }
}
