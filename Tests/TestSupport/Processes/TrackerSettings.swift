package import Foundation

/// What a process that tracks events is told: its second argument, as JSON.
package struct TrackerSettings: Codable, Sendable {
  /// The server's address.
  package var server: URL
  /// The folder in which the events rest, which other processes use at the same time.
  package var store: URL
  /// A file that is there, and gets a line for each event that was reported as stored.
  package var log: URL
  /// The process's name, which its events' names begin with.
  package var name: String
  /// How many events it tracks.
  package var count: Int
  /// Decides what happens between them.
  package var seed: UInt64
  /// The step at which the process kills itself.
  package var fatalStep: Int?
  /// Whether it delivers everything before it ends.
  package var finishes: Bool

  package init(
    server: URL, store: URL, log: URL, name: String, count: Int, seed: UInt64, fatalStep: Int? = nil,
    finishes: Bool = false
  ) {
    (self.server, self.store, self.log, self.name) = (server, store, log, name)
    (self.count, self.seed, self.fatalStep, self.finishes) = (count, seed, fatalStep, finishes)
  }

  /// The header field that names the process to the server, and the one that has the app's token.
  package static let senderField = "X-Sender"
  package static let tokenField = "X-Primer-Token"
  /// The app's tokens: the server takes the first one for a while, and the second one from then on.
  package static let tokens = ["first-token", "second-token"]
}
