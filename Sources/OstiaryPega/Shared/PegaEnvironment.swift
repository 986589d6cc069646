package import Foundation
package import Logging
package import OstiaryCore

/// What Pega sessions that an app's own requests share work with. Apps have one; tests make their own.
package struct PegaEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where sessions rest, so that every object for a server knows the same one.
  package var store: any SessionStore
  /// The cookies that the app's own requests use.
  package var cookies: any PegaCookieStorage
  /// What the app's server calls things, and how users sign in; or why that can't be told.
  package var settings: Result<PegaSettings, OstiaryError>
  /// Tells the time.
  package var clock: any SessionClock
  /// Takes messages.
  package var logger: Logger
  /// The services of every object, whose calls are made one at a time for each server.
  package private(set) var services: PegaServices

  /// Makes an environment.
  package init(
    transport: any Transport, store: any SessionStore = EphemeralStore(), cookies: any PegaCookieStorage,
    settings: Result<PegaSettings, OstiaryError>, clock: any SessionClock = .system,
    logger: Logger = Logger(label: "ostiary"), services: PegaServices = PegaServices()
  ) {
    self.transport = transport
    self.store = store
    self.cookies = cookies
    self.settings = settings
    self.clock = clock
    self.logger = logger
    self.services = services
  }

  /// Makes an environment with these names.
  package init(
    transport: any Transport, store: any SessionStore = EphemeralStore(), cookies: any PegaCookieStorage,
    configuration: PegaConfiguration, clock: any SessionClock = .system
  ) {
    var settings = PegaSettings()
    settings.names = configuration
    self.init(transport: transport, store: store, cookies: cookies, settings: .success(settings), clock: clock)
  }

  /// The settings that are known to be right, and else the defaults.
  package var knownSettings: PegaSettings { (try? settings.get()) ?? PegaSettings() }
  /// The names that servers use.
  package var configuration: PegaConfiguration { knownSettings.names }
  /// The context for exchanges without a session manager.
  package var context: AuthenticationContext {
    AuthenticationContext(transport: transport, clock: clock, logger: logger)
  }

  /// The same for a service, which must not keep alive what keeps it.
  var withoutServices: PegaEnvironment {
    var environment = self
    environment.services = PegaServices()
    return environment
  }

  /// The server that an app means.
  /// - Parameter url: the address that the app gives; with `nil` it is the settings' own.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the settings can't be used, when neither names an address, and when they
  ///   name different servers: the settings of one server are no reason to send a password to another.
  package func address(of url: URL?) throws -> PegaAddress {
    let settings = try settings.get()
    guard let url = url ?? settings.server else {
      throw OstiaryError(
        .invalidInput, "There is no server address.", advice: "Give an address such as https://host/prweb.",
        requestMayHaveExecuted: false)
    }
    let address = try PegaAddress(url, configuration: settings.names)
    if let server = settings.server, let origin = Origin(server), origin != address.origin {
      throw OstiaryError(
        .invalidInput, "The settings are those of \(origin), and the app asks for \(address.origin). Nothing was sent.",
        advice: "Give the app and the settings the same server.", disposition: .misuse, requestMayHaveExecuted: false)
    }
    return address
  }

  /// Performs an action with the shared cookies, and leaves there those that come with the page.
  nonisolated(nonsending) package func load(
    _ action: SnapStartAction, at server: PegaAddress, timeout: Duration? = nil
  ) async throws -> SnapStartPage {
    let loader = SnapStartLoader(server: server, configuration: configuration, context: context, timeout: timeout)
    let before = sharedCookies(of: server)
    var cookies = before
    defer { shareChanges(from: before, to: cookies, for: server) }
    return try await loader.load(action, cookies: &cookies)
  }
}
