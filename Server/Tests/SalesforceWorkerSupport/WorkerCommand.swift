/// What a test tells a client in a process of its own to do, all of it at the same time.
package struct WorkerCommand: Codable, Sendable {
  /// How often to read something.
  package var reads: Int
  /// Cases to create.
  package var subjects: [String]

  package init(reads: Int, subjects: [String]) {
    (self.reads, self.subjects) = (reads, subjects)
  }
}
