package import Foundation
package import Ostiary
package import OstiaryExperiences

/// What this module works with. The process's own has the default one; tests make theirs.
package struct PrimerEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where users and events rest; opened when it is first needed.
  package var store: @Sendable () -> any SessionStore
  /// Tells the time.
  package var clock: any SessionClock
  /// Keeps experiences, for times without a network.
  package var cache: any ExperienceCache
  /// What the app's Info.plist says about Primer.
  package var settings: PrimerSettings

  /// Makes an environment.
  package init(
    transport: any Transport, store: @escaping @Sendable () -> any SessionStore, clock: any SessionClock = .system,
    cache: any ExperienceCache = MemoryExperienceCache(), settings: PrimerSettings = PrimerSettings()
  ) {
    self.transport = transport
    self.store = store
    self.clock = clock
    self.cache = cache
    self.settings = settings
  }

  /// The process's own. Everything rests in files that only the user of the device can read.
  package static let shared: PrimerEnvironment = {
    let store = FileStore.default(
      application: "primer-\(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)")
    return PrimerEnvironment(
      transport: PlatformTransport(), store: { store },
      cache: FileExperienceCache(folder: store.folder.deletingLastPathComponent().appending(path: "experiences")),
      settings: .process)
  }()
}

/// What an app's Info.plist says.
package struct PrimerSettings: Sendable, Hashable {
  /// `PrimerToken`: the app's key.
  package var token: String?
  /// `PrimerServer`: the address of a server with experiences. (Not in the vendor's SDK, which knew only one.)
  package var server: URL?

  /// Makes settings.
  package init(token: String? = nil, server: URL? = nil) {
    self.token = token
    self.server = server
  }

  /// Those of the process.
  static var process: PrimerSettings {
    PrimerSettings(
      token: Bundle.main.object(forInfoDictionaryKey: "PrimerToken") as? String,
      server: (Bundle.main.object(forInfoDictionaryKey: "PrimerServer") as? String).flatMap { URL(string: $0) })
  }
}
