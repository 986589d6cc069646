internal import Ostiary
package import OstiaryPega

extension PegaEnvironment {
  /// The process's own. The vendor's SDK kept its sessions in the process-wide cookie storage, so that any authenticator
  /// object would do; this keeps that promise.
  package static let shared = PegaEnvironment(
    transport: PlatformTransport(), cookies: SharedCookies.shared, configuration: .vendor)
}

extension PegaConfiguration {
  /// As the vendor's SDK behaves: it opens SnapStart addresses over plain http, too.
  package static var vendor: PegaConfiguration {
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    return configuration
  }
}
