import Foundation

/// How a node takes part in the agreement. All but the terms is for tests.
struct LeaseHabits: Sendable {
  var terms = LeaseTerms()
  /// For how long a node waits for its own probe, and when it tries again if that was not heard.
  var probe = Duration.seconds(2)
  var probeAgain = Duration.seconds(60)
  /// The time of this machine.
  var wallClock: @Sendable () -> Double = { Date().timeIntervalSince1970 }
  /// Called at each turn of the thread, on that thread.
  var turn: (@Sendable () -> Void)?
  /// Whether an announcement is heard.
  var hears: (@Sendable (String) -> Bool)?
}

/// An end that a node has applied.
struct HeardEnd: Sendable {
  let end: LeaseEnd
  /// Seconds since 1970, by the node's clock.
  let at: Double
}

/// Ends that a transaction has committed.
struct CommittedEnds: Sendable {
  let ends: [LeaseEnd]
  let identity: DatabaseIdentity
  /// For how long ends have been numbered on this timeline.
  let age: Duration
  /// When the commit had returned.
  let committed: ContinuousClock.Instant
}

/// A node as an administrator sees it.
package struct ServerNode: Hashable, Sendable {
  package let id: String
  package let version: String
  /// Seconds since 1970, by the node's clock.
  package let since: Double
  /// Seconds since 1970, by the database's clock.
  package let seenAt: Double
  /// The newest end that it was shown; nil for one that believes no cache, or does not answer.
  package let shown: Int64?
  package let applied: Int64?
}
