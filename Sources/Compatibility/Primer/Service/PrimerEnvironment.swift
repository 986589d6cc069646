package import Foundation
package import HTTPTypes
package import Logging
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
  /// Makes what takes the lines of the log; by default what the program's logging system has.
  package var makeLogHandler: (@Sendable (String) -> any LogHandler)?

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
  /// `PrimerExperiencePath`: where the server has experiences, below its address.
  package var experiencePath = "v1/experience"
  /// `PrimerEventsPath`: where the server takes events, below its address.
  package var eventsPath = "v1/events"
  /// `PrimerTokenField`: the header field for the app's key.
  package var tokenField: HTTPField.Name = Self.primerToken
  /// `PrimerExperiences`: files among the app's resources that are experiences, by their type: `newUser`, `login`,
  /// `recoverPassword`.
  package var experiences: [String: URL] = [:]
  /// What of the Info.plist can't be used, each as a sentence.
  package var problems: [String] = []

  /// The header field that names the user to a server with experiences, percent-encoded.
  static let userField = HTTPField.Name("X-Primer-User") ?? .authorization
  /// The field of the servers that `ostiary serve` runs.
  private static let primerToken = HTTPField.Name("X-Primer-Token") ?? .authorization

  /// Makes settings.
  package init(token: String? = nil, server: URL? = nil) {
    self.token = token
    self.server = server
  }

  /// Those of the process.
  static var process: PrimerSettings {
    PrimerSettings(information: Bundle.main.infoDictionary ?? [:]) {
      Bundle.main.url(forResource: $0, withExtension: nil)
    }
  }

  /// Reads an Info.plist. What can't be used is left as it is by default, and told in ``problems``.
  /// - Parameter resource: finds a file by its name.
  package init(information: [String: Any], resource: (String) -> URL?) {
    self.init()
    token = text("PrimerToken", in: information)
    if let address = text("PrimerServer", in: information) {
      server = URL(string: address).flatMap { Origin($0) == nil ? nil : $0 }
      if server == nil { problems.append("“PrimerServer” is not an http or https address.") }
    }
    if let path = path("PrimerExperiencePath", in: information) { experiencePath = path }
    if let path = path("PrimerEventsPath", in: information) { eventsPath = path }
    if let field = text("PrimerTokenField", in: information) {
      if let name = HTTPField.Name(field) {
        tokenField = name
      } else {
        problems.append("“PrimerTokenField” is not the name of a header field.")
      }
    }
    guard let files = information["PrimerExperiences"] else { return }
    for (type, name) in (files as? [String: Any] ?? ["": files]).sorted(by: { $0.key < $1.key }) {
      let file = (name as? String).flatMap(resource)
      if ["newUser", "login", "recoverPassword"].contains(type), let file {
        experiences[type] = file
      } else {
        problems.append(
          "“PrimerExperiences” has to be a dictionary with the name of a file of the bundle for newUser, login or recoverPassword."
        )
      }
    }
  }

  private mutating func text(_ key: String, in information: [String: Any]) -> String? {
    guard let value = information[key] else { return nil }
    guard let text = value as? String, !text.isEmpty else {
      problems.append("“\(key)” is not text.")
      return nil
    }
    return text
  }

  /// A path that stays below the server's address.
  private mutating func path(_ key: String, in information: [String: Any]) -> String? {
    guard let text = text(key, in: information) else { return nil }
    let path = text.hasPrefix("/") ? String(text.dropFirst()) : text
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Set("?#:\\%@".utf8).contains($0) }),
      steps.allSatisfy({ !["", ".", ".."].contains($0) })
    else {
      problems.append("“\(key)” is not a path below the server's address.")
      return nil
    }
    return path
  }
}
