internal import Ostiary
package import OstiaryPega

extension PegaEnvironment {
  /// The process's own, with the settings of this moment. The vendor's SDK kept its sessions in the process-wide cookie storage, so that
  /// any authenticator object would do; this keeps that promise.
  package static var shared: PegaEnvironment {
    PegaEnvironment(
      transport: Process.transport, store: Process.store, cookies: SharedCookies.shared,
      settings: PMPegaConfiguration.current, logger: PMLog.logger, services: Process.services)
  }

  /// What there is once in a process.
  private enum Process {
    static let transport = PlatformTransport()
    static let store = EphemeralStore()
    static let services = PegaServices()
  }
}

extension PegaConfiguration {
  /// As the vendor's SDK behaves: it opens SnapStart addresses over plain http, too.
  package static var vendor: PegaConfiguration {
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    return configuration
  }
}
