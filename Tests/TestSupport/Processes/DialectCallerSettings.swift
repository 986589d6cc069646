package import Foundation

/// What a process that calls an API by a shipped dialect is told: its second argument, as JSON.
package struct DialectCallerSettings: Codable, Sendable {
  /// The dialect's name.
  package var dialect: String
  /// The address of all of its servers.
  package var server: URL
  /// The dialect's settings.
  package var settings: [String: String]
  /// Where the session rests.
  package var store: WorkerStore
  /// The name it rests under.
  package var key: String
  /// What is requested with the session.
  package var thing: URL
  /// What is requested first, and answered when all processes are there.
  package var barrier: URL
  /// How many requests are sent at once.
  package var count: Int

  package init(
    dialect: String, server: URL, settings: [String: String], store: WorkerStore, key: String, thing: URL,
    barrier: URL, count: Int
  ) {
    (self.dialect, self.server, self.settings, self.store) = (dialect, server, settings, store)
    (self.key, self.thing, self.barrier, self.count) = (key, thing, barrier, count)
  }
}
