/// A database in one of its lives: a primary that takes over, or a back-up that is restored, begins another timeline. Numbers of ends
/// that were given by different ones can't be compared.
struct DatabaseIdentity: Hashable, Sendable {
  let system: Int64
  let timeline: Int64
}

/// Something that has ended. Ends are numbered in the order of their commits, from 1 on.
struct LeaseEnd: Hashable, Sendable {
  typealias Kind = StorageEnd.Kind

  let number: Int64
  let kind: Kind
  /// See ``StorageEnd/subject``.
  let subject: String

  init(number: Int64, kind: Kind, subject: String) {
    self.number = number
    self.kind = kind
    self.subject = subject
  }
}

/// An end as it is announced: its number, its kind and its subject, with a blank between. Another form is nil.
extension LeaseEnd {
  var announcement: String { "\(number) \(kind.rawValue) \(subject)" }

  init?(announcement: String) {
    let parts = announcement.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int64(parts[0]), number > 0, let kind = Kind(rawValue: String(parts[1])) else {
      return nil
    }
    self.init(number: number, kind: kind, subject: String(parts[2]))
  }
}

/// The times of the agreement. All nodes of a database have the same.
struct LeaseTerms: Hashable, Sendable {
  /// For how long a node believes its caches, counted from the moment at which its question was sent.
  var lease = Duration.seconds(1)
  /// When the next question follows, counted from the same moment.
  var question = Duration.milliseconds(300)
  /// When a question follows one that has failed.
  var retry = Duration.milliseconds(100)
  /// For how long a read waits until the database has committed a write.
  var proof = Duration.seconds(3)
  /// The first and the longest pause after it has not.
  var firstPause = Duration.milliseconds(20)
  var longestPause = Duration.milliseconds(250)
  /// The first and the longest pause between two looks at the nodes that an end waits for.
  var firstLook = Duration.milliseconds(2)
  var longestLook = Duration.milliseconds(50)
  /// A node that lacks more ends than this empties its caches instead of reading them.
  var mostRead: Int64 = 1000

  /// When every lease from before a commit is over: a tenth more, for clocks that run at different rates.
  var patience: Duration { lease * 11 / 10 }
}

/// What a database answers to a question.
struct LeaseAnswer: Hashable, Sendable {
  let identity: DatabaseIdentity
  /// The newest end that was committed when the question was looked at.
  let shown: Int64
  /// Whether the question has found the node's row on the list of those that ends wait for, and has written into it.
  let isListed: Bool
  /// Whether its COMMIT has succeeded. A read replica, or a primary that has lost its place, can't say so.
  let isCommitted: Bool
  var silentWriters = SilentWriters()
}

/// What writes to a database without announcing ends; see ``SilentWriterSchema``.
struct SilentWriters: Hashable, Sendable {
  /// Whether one is connected.
  var areThere = false
  /// How many there have been, at least.
  var number: Int64 = 0
}

/// A read that may become an entry of a cache; see ``LeaseMachine/mayKeep(_:from:)``.
struct LeaseFill: Hashable, Sendable {
  let identity: DatabaseIdentity
  let applied: Int64
  let emptied: UInt64
}
