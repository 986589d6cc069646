internal import OstiaryCore

/// Settings that are on their way to a service.
package struct SalesforceSettingsChange: Sendable {
  /// What is under way; `nil` when nothing is any more.
  private let work: Result<SharedWork<Void>?, any Error>

  init(_ work: Result<SharedWork<Void>?, any Error>) {
    self.work = work
  }

  /// Waits until they hold.
  /// - Throws: what kept them from it.
  package func wait() async throws {
    try await work.get()?.value()
  }
}
