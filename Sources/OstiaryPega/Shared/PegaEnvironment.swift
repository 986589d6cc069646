package import OstiaryCore

/// What Pega sessions that an app's own requests share work with. Apps have one; tests make their own.
package struct PegaEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where sessions rest, so that every object for a server knows the same one.
  package var store: any SessionStore
  /// The cookies that the app's own requests use.
  package var cookies: any PegaCookieStorage
  /// The names that servers use.
  package var configuration: PegaConfiguration
  /// Tells the time.
  package var clock: any SessionClock

  /// Makes an environment.
  package init(
    transport: any Transport, store: any SessionStore = EphemeralStore(), cookies: any PegaCookieStorage,
    configuration: PegaConfiguration, clock: any SessionClock = .system
  ) {
    self.transport = transport
    self.store = store
    self.cookies = cookies
    self.configuration = configuration
    self.clock = clock
  }

  /// The context for exchanges without a session manager.
  package var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  /// Performs an action with the shared cookies, and leaves there those that come with the page.
  nonisolated(nonsending) package func load(
    _ action: SnapStartAction, at server: PegaAddress, timeout: Duration
  ) async throws -> SnapStartPage {
    let loader = SnapStartLoader(server: server, configuration: configuration, context: context, timeout: timeout)
    let before = sharedCookies(of: server)
    var cookies = before
    defer { shareChanges(from: before, to: cookies, for: server) }
    return try await loader.load(action, cookies: &cookies)
  }
}
