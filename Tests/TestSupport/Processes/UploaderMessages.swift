package import Foundation

/// What a process that uploads one file is told: its second argument, as JSON.
package struct UploaderSettings: Codable, Sendable {
  /// The platform's address.
  package var server: URL
  /// The file.
  package var file: URL
  /// The folder in which the session and the journal rest.
  package var store: URL
  /// A file that is there, and gets a line for each step.
  package var log: URL
  /// The step at which the process kills itself.
  package var fatalStep: Int?
  package var partSize: Int64
  package var parallelParts: Int
  /// How long a part may wait before the journal says that it is uploaded, in seconds.
  package var journalDelay: Double
  /// Whether parts are read while they are sent.
  package var readsWhileSending: Bool

  package init(
    server: URL, file: URL, store: URL, log: URL, fatalStep: Int? = nil, partSize: Int64 = 100, parallelParts: Int = 1,
    journalDelay: Double = 0, readsWhileSending: Bool = false
  ) {
    (self.server, self.file, self.store, self.log) = (server, file, store, log)
    (self.fatalStep, self.partSize, self.parallelParts) = (fatalStep, partSize, parallelParts)
    (self.journalDelay, self.readsWhileSending) = (journalDelay, readsWhileSending)
  }
}

/// What such a process says when it was not killed.
package enum UploaderOutcome: Codable, Sendable, Equatable {
  case published(id: String)
  /// With the error's code.
  case failed(String)
}
