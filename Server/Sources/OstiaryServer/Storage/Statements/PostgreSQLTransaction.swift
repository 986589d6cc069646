internal import OstiaryPostgreSQL

/// A transaction of one connection. It begins with its first statement, in the same round trip.
///
/// A statement whose answer is not asked for is queued: it leaves with the next one that has an answer, or with the COMMIT. If it
/// fails, that one fails with its SQLSTATE, and the transaction with it. So what a body was told is never more than what the server
/// has said, and nothing is believed before the COMMIT has succeeded.
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

  /// Looks at where a transaction runs, by a statement that comes before the others.
  struct Look {
    let text: String
    let see: (PostgreSQLRows) -> Void
  }

  private let session: PostgreSQLSession
  private let kind: Kind
  private let isOnLoan: Bool
  private let noteTimeline: () -> String?
  private let look: Look?
  /// Whether its BEGIN has been sent.
  private var hasBegun = false
  /// What leaves with the next statement that has an answer.
  private var queued: [PostgreSQLStatement] = []
  /// So many are sent without waiting for such a one: they are in memory until then.
  private static let mostQueued = 256
  /// The failure after which the server takes no more statements.
  ///
  /// It is kept because a body could go on after it: a COMMIT of a failed transaction rolls back and reports no error.
  private(set) var failure: PostgreSQLFailure?
  /// Whether a row was changed: its COMMIT is one that only a primary can make.
  private(set) var hasChanged = false
  /// What has ended by the transaction.
  private(set) var ends: Set<StorageEnd> = []
  /// Statements that run before the others, so that their snapshot is taken when it has what it waits for.
  private let first: [String]

  /// - Parameters:
  ///   - isOnLoan: whether a pooler lends the connection for this transaction, so that it has no settings of ours.
  ///   - first: statements that take a lock before the snapshot.
  ///   - noteTimeline: gives the statement that notes another timeline, for a connection on loan.
  ///   - look: for a connection on loan: is told where it leads to, before any statement is answered.
  init(
    _ session: PostgreSQLSession, _ kind: Kind, isOnLoan: Bool = false, first: [String] = [],
    noteTimeline: @escaping () -> String? = { nil }, look: Look? = nil
  ) {
    self.session = session
    self.kind = kind
    self.isOnLoan = isOnLoan
    self.first = first
    self.noteTimeline = noteTimeline
    self.look = look
  }

  /// Records what has ended.
  func note(_ ends: [StorageEnd]) { self.ends.formUnion(ends) }

  /// Runs a statement, after those that are queued.
  /// - Throws: its failure, or that of one before it.
  func run(
    _ text: String, _ values: [PostgreSQLValue] = [], keepsPrepared: Bool = true
  ) throws(PostgreSQLFailure) -> PostgreSQLRows {
    let answers = try send([PostgreSQLStatement(text, values, keepsPrepared: keepsPrepared)])
    guard let rows = answers.last else { throw fail(PostgreSQLFailure(.lost, message: "an answer is missing")) }
    return rows
  }

  /// Runs a statement whose answer is not asked for, at the latest with the COMMIT.
  /// - Throws: the failure of one before it, where the server has told one.
  func queue(_ text: String, _ values: [PostgreSQLValue]) throws(PostgreSQLFailure) {
    if let failure { throw failure }
    queued.append(PostgreSQLStatement(text, values))
    if queued.count >= Self.mostQueued { try flush() }
  }

  /// Runs several statements that have no values, after those that are queued.
  func run(script: String) throws(PostgreSQLFailure) {
    try flush()
    do {
      try session.run(script: script)
    } catch {
      throw fail(error)
    }
  }

  /// Sends what is queued, with the BEGIN if that was not sent.
  private func flush() throws(PostgreSQLFailure) { _ = try send([]) }

  /// Sends the BEGIN, what is queued and these statements in one round trip.
  /// - Returns: the answers to these.
  private func send(_ statements: [PostgreSQLStatement]) throws(PostgreSQLFailure) -> [PostgreSQLRows] {
    if let failure { throw failure }
    let opening = hasBegun ? [] : beginning()
    let all = opening + queued + statements
    queued = []
    hasBegun = true
    do {
      let answers = try session.run(together: all)
      for (statement, rows) in zip(all, answers) where rows.affected > 0 {
        if Self.changes.contains(where: { statement.text.hasPrefix($0) }) { hasChanged = true }
      }
      if let look, !opening.isEmpty, opening.count <= answers.count { look.see(answers[opening.count - 1]) }
      return Array(answers.dropFirst(all.count - statements.count))
    } catch {
      throw fail(error)
    }
  }

  private static let changes = ["INSERT", "UPDATE", "DELETE"]

  private func fail(_ failure: PostgreSQLFailure) -> PostgreSQLFailure {
    self.failure = failure
    return failure
  }

  /// What comes before the body's statements. A look comes last.
  private func beginning() -> [PostgreSQLStatement] {
    // Before any query: that would take the snapshot.
    var statements = [PostgreSQLStatement(kind.beginning)] + first.map { PostgreSQLStatement($0) }
    switch kind {
    case .migrate, .long, .snapshot:
      // Its connection waits for another database while that one commits.
      statements += Self.waitsForOther.map { PostgreSQLStatement($0) }
    case .read, .write, .end: break
    }
    if isOnLoan, kind != .read, kind != .snapshot {
      let isShort = kind == .write || kind == .end
      if isShort { statements.append(PostgreSQLStatement(Self.endsWhenIdle)) }
      statements.append(PostgreSQLStatement("SET LOCAL \(Self.announcing)"))
      statements.append(PostgreSQLStatement(Self.isDurable))
      if isShort, let note = noteTimeline() { statements.append(PostgreSQLStatement(note, keepsPrepared: false)) }
    }
    if let look { statements.append(PostgreSQLStatement(look.text)) }
    return statements
  }

  private static let waitsForOther = [
    "SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0",
  ]
  private static let endsWhenIdle = "SET LOCAL idle_in_transaction_session_timeout = '\(mostIdle)'"
  private static let isDurable =
    """
    SELECT set_config('synchronous_commit', 'on', true)
      WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
    """

  /// For how long the server waits for the next statement of a transaction: one of a process that was stopped must not hold its locks
  /// for longer, which others wait for.
  static let mostIdle = "10s"
  /// A setting by which the database knows that a connection's changes are announced; see ``SilentWriterSchema``.
  static let announcing = "ostiary.announces = 'on'"

  /// Makes the changes durable.
  /// - Parameter announcing: the statements that run last, in one round trip with what is queued and the COMMIT.
  /// - Returns: the answers to those.
  /// - Throws: ``UnknownOutcome``, or the failure that has rolled the changes back.
  func commit(announcing: [PostgreSQLStatement] = []) throws -> [PostgreSQLRows] {
    if let failure {
      rollBack()
      throw failure
    }
    guard hasBegun || !queued.isEmpty || !announcing.isEmpty else { return [] }
    let onlyReads = kind == .read || kind == .snapshot
    // What it has read stands, also if the connection breaks. Statements that nothing was read of are still to be told about.
    let isDone = onlyReads && queued.isEmpty
    // A connection that is known to be broken takes no COMMIT: nothing is in doubt then.
    guard session.isAlive else {
      if isDone { return [] }
      throw fail(PostgreSQLFailure(.lost, message: "the connection broke before the COMMIT"))
    }
    _ = session.takeNotices()
    let answers: [PostgreSQLRows]
    do {
      answers = try send(announcing + [PostgreSQLStatement("COMMIT")])
    } catch  where error.kind == .refused {
      // A statement before the COMMIT was refused, or the COMMIT.
      rollBack()
      throw error
    } catch {
      if isDone { return [] }
      // Changes of a transaction that only reads can't be in doubt. Those of others are: the COMMIT may have left.
      if onlyReads { throw error }
      throw UnknownOutcome(cause: error)
    }
    // The wait for a synchronous standby was cancelled: the changes are on this server only.
    if session.takeNotices().contains(where: { $0.severity == "WARNING" }) { throw UnknownOutcome(cause: nil) }
    return answers
  }

  /// Undoes the changes. If that fails the connection is of no use: its owner sees that by its state.
  func rollBack() {
    queued = []
    guard hasBegun, session.transaction != .idle else { return }
    _ = try? session.run(together: [PostgreSQLStatement("ROLLBACK")])
  }

  /// Runs `body`, and undoes what it did, also if it throws.
  func rehearse(_ body: () throws -> Void) throws(PostgreSQLFailure) {
    _ = try run("SAVEPOINT rehearsal")
    try? body()
    // What it has queued belongs to it.
    try? flush()
    // After a broken connection this fails, too, and the failure stays.
    let first = failure
    (failure, queued, ends) = (nil, [], [])
    do {
      _ = try run("ROLLBACK TO SAVEPOINT rehearsal")
    } catch {
      failure = first ?? error
      throw failure ?? error
    }
  }
}
