/// What such a client reports when it has started, and when it has done what it was told.
package struct WorkerReport: Codable, Sendable {
  /// Who is signed in; nil for no user.
  package var user: String?
  /// How often a call was answered with a status, or failed with a code.
  package var outcomes: [String: Int]

  package init(user: String?, outcomes: [String: Int] = [:]) {
    (self.user, self.outcomes) = (user, outcomes)
  }
}
