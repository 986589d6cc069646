internal import OstiaryPostgreSQL

/// A transaction of one connection. It begins with its first statement.
final class PostgreSQLTransaction {
  /// What a transaction may do.
  enum Kind {
    /// It reads in one snapshot.
    case read
    /// It commits only if its result could also come from transactions that run one after the other.
    case write
    /// Each statement sees what was committed before it. It has locked the rows by which it decides, and ends something: so it waits
    /// for others that end something, where it would fail otherwise.
    case end
    /// Each statement sees what was committed before it.
    case migrate
    /// The same, for one that is not run again.
    case long
    /// It reads in one snapshot, for as long as it takes, and is not run again.
    case snapshot

    fileprivate var beginning: String {
      switch self {
      case .read, .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .write: "BEGIN ISOLATION LEVEL SERIALIZABLE"
      case .end, .migrate, .long: "BEGIN ISOLATION LEVEL READ COMMITTED"
      }
    }
  }

  /// A COMMIT was sent, and its outcome was not learnt.
  struct UnknownOutcome: Error {
    let cause: PostgreSQLFailure?
  }

  private let session: PostgreSQLSession
  private let kind: Kind
  private let isOnLoan: Bool
  private let noteTimeline: () -> String?
  private var hasBegun = false
  /// The failure after which the server takes no more statements.
  ///
  /// It is kept because a body could go on after it: a COMMIT of a failed transaction rolls back and reports no error.
  private(set) var failure: PostgreSQLFailure?
  /// What has ended by the transaction.
  private(set) var ends: Set<StorageEnd> = []
  /// A statement that runs before the others, so that their snapshot is taken when it has what it waits for.
  private let first: String?

  /// - Parameters:
  ///   - isOnLoan: whether a pooler lends the connection for this transaction, so that it has no settings of ours.
  ///   - first: a statement that takes a lock before the snapshot.
  ///   - noteTimeline: gives the statement that notes another timeline, for a connection on loan.
  init(
    _ session: PostgreSQLSession, _ kind: Kind, isOnLoan: Bool = false, first: String? = nil,
    noteTimeline: @escaping () -> String? = { nil }
  ) {
    self.session = session
    self.kind = kind
    self.isOnLoan = isOnLoan
    self.first = first
    self.noteTimeline = noteTimeline
  }

  /// Records what has ended.
  func note(_ ends: [StorageEnd]) { self.ends.formUnion(ends) }

  /// Runs a statement.
  func run(
    _ text: String, _ values: [PostgreSQLValue] = [], keepsPrepared: Bool = true
  ) throws(PostgreSQLFailure) -> PostgreSQLRows {
    if let failure { throw failure }
    do {
      try begin()
      return try session.run(text, values, keepsPrepared: keepsPrepared)
    } catch {
      failure = error
      throw error
    }
  }

  /// Runs several statements that have no values.
  func run(script: String) throws(PostgreSQLFailure) {
    if let failure { throw failure }
    do {
      try begin()
      try session.run(script: script)
    } catch {
      failure = error
      throw error
    }
  }

  private func begin() throws(PostgreSQLFailure) {
    guard !hasBegun else { return }
    _ = try session.run(kind.beginning, [], keepsPrepared: true)
    hasBegun = true
    // Before any query: that would take the snapshot.
    if let first { try session.run(script: first) }
    if kind == .migrate || kind == .long || kind == .snapshot {
      // Its connection waits for another database while that one commits.
      try session.run(script: "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
    }
    guard isOnLoan, kind != .read, kind != .snapshot else { return }
    let isShort = kind == .write || kind == .end
    // In one round trip.
    try session.run(
      script: """
        \(isShort ? "SET LOCAL idle_in_transaction_session_timeout = '\(Self.mostIdle)';" : "")
        SELECT set_config('synchronous_commit', 'on', true)
          WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
        """)
    guard isShort, let note = noteTimeline() else { return }
    _ = try session.run(note, [], keepsPrepared: false)
  }

  /// For how long the server waits for the next statement of a transaction: one of a process that was stopped must not hold its locks
  /// for longer, which others wait for.
  static let mostIdle = "10s"

  /// Makes the changes durable.
  /// - Parameter announcing: the statements that run last, in one round trip with the COMMIT.
  /// - Returns: the answers to those.
  /// - Throws: ``UnknownOutcome``, or the failure that has rolled the changes back.
  func commit(announcing: [(text: String, values: [PostgreSQLValue])] = []) throws -> [PostgreSQLRows] {
    if let failure {
      rollBack()
      throw failure
    }
    guard hasBegun else { return [] }
    _ = session.takeNotices()
    let answers: [PostgreSQLRows]
    do {
      if announcing.isEmpty {
        _ = try session.run("COMMIT", [], keepsPrepared: true)
        answers = []
      } else {
        answers = try session.pipeline(announcing + [("COMMIT", [])])
      }
    } catch  where error.kind == .refused {
      failure = error
      // A statement before the COMMIT was refused.
      if session.transaction == .failed { rollBack() }
      throw error
    } catch {
      failure = error
      // Changes of a transaction that only reads can't be in doubt.
      if kind == .read || kind == .snapshot { return [] }
      throw UnknownOutcome(cause: error)
    }
    // The wait for a synchronous standby was cancelled: the changes are on this server only.
    if session.takeNotices().contains(where: { $0.severity == "WARNING" }) { throw UnknownOutcome(cause: nil) }
    return answers
  }

  /// Undoes the changes. If that fails the connection is of no use: its owner sees that by its state.
  func rollBack() {
    guard hasBegun else { return }
    _ = try? session.run("ROLLBACK", [], keepsPrepared: true)
  }

  /// Runs `body`, and undoes what it did, also if it throws.
  func rehearse(_ body: () throws -> Void) throws(PostgreSQLFailure) {
    _ = try run("SAVEPOINT rehearsal")
    try? body()
    // After a broken connection this fails, too, and the failure stays.
    let first = failure
    failure = nil
    ends = []
    do {
      _ = try run("ROLLBACK TO SAVEPOINT rehearsal")
    } catch {
      failure = first ?? error
      throw failure ?? error
    }
  }
}
