internal import Foundation

/// What stays in the store when a session has ended: which sign-in it was and why it ended, so that every process that
/// shares the store learns the first cause. It holds no secret. The next sign-in replaces it.
struct EndedEntry: Hashable, Sendable, Codable {
  /// The sign-in that ended.
  var lineage: UUID
  /// Why it ended.
  var cause: Cause
  /// When, by the clock of the process that ended it.
  var date: Date
  /// The proofs that the server has refused. A process with another proof of this sign-in shows its own to the server
  /// before it takes the session for ended. Empty when the user ended it: then every proof is over.
  var refused: Set<ProofDigest> = []
  /// When the sign-in was made, where that is known.
  var begun: Moment?

  /// Whether the ending is about this proof, too.
  func ends(_ digest: ProofDigest) -> Bool { refused.isEmpty || refused.contains(digest) }
}

/// Says in the entry, before the request is sent, which proof is being renewed and by which writer. It is written where
/// exclusive access can be lost while its holder lives.
struct RenewalClaim: Hashable, Sendable, Codable {
  /// The session manager that renews.
  var writer: UUID
  /// Its process. When that has ended, the claim is over.
  var process: ProcessIdentity?
  /// Raised with every claim that is written, so that a living writer's entry changes.
  var number: UInt64
  /// How long the writer may take in seconds: the request's time-out and the pauses between its tries.
  var bound: Double
}
