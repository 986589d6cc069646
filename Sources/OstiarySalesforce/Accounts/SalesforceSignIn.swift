internal import OstiaryCore

/// A sign-in that is under way.
package struct SalesforceSignIn: Sendable {
  private let work: SharedWork<SalesforceAccount>
  /// Whether it was not under way before.
  package let isNew: Bool

  init(_ work: SharedWork<SalesforceAccount>, isNew: Bool) {
    self.work = work
    self.isNew = isNew
  }

  /// Waits for who it is.
  /// - Throws: what kept them from signing in.
  package func wait() async throws -> SalesforceAccount { try await work.value() }
}
