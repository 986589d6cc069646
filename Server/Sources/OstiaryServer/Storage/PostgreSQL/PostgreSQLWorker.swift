import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// One thread's connection, with which it runs transactions one after the other.
final class PostgreSQLWorker {
  private let connect: PostgreSQLConnector
  private let habits: StorageHabits
  private let keeper: LeaseKeeper?
  private let timelines: PostgreSQLTimelines?
  private var session: PostgreSQLSession?
  /// Whether the session's timeline was noted.
  private var isNoted = false
  /// The database that the session is with, once that was asked; nil for one that does not say.
  private var identity: DatabaseIdentity??
  /// Whether it is another one than that of the lease. The next transaction gets another session.
  private var strays = false

  /// - Parameters:
  ///   - keeper: agrees with other servers on what has ended. Without it nothing may end.
  ///   - timelines: nil for a worker that makes the tables, or copies them.
  init(
    _ connect: PostgreSQLConnector, _ habits: StorageHabits, _ keeper: LeaseKeeper? = nil,
    _ timelines: PostgreSQLTimelines? = nil
  ) {
    self.connect = connect
    self.habits = habits
    self.keeper = keeper
    self.timelines = timelines
  }

  /// What a transaction has returned, and what has ended by it.
  struct Committed<Value> {
    let value: Value
    let ends: CommittedEnds?
  }

  /// Runs a body in a transaction, again where transactions conflict or the connection broke before its COMMIT.
  /// - Parameters:
  ///   - control: notified of the statements' begin and end.
  ///   - call: notified of each further attempt.
  func run<Value>(
    _ kind: PostgreSQLTransaction.Kind, _ control: PostgreSQLJobControl? = nil, _ call: StorageCall? = nil,
    _ body: (StorageConnection) throws -> Value
  ) throws -> Committed<Value> {
    var attempts = PostgreSQLAttempts()
    var conflictsOfEnds = 0
    while true {
      let session = try live()
      try control?.begin(session.interrupter)
      let trips = session.roundTrips
      defer {
        control?.end()
        habits.recorder?.note(roundTrips: session.roundTrips - trips)
      }
      let transaction = PostgreSQLTransaction(
        session, kind, isOnLoan: connect.isBehindTransactionPooler,
        first: conflictsOfEnds > 1 ? LeaseStatements.lockEnds : [],
        noteTimeline: { [timelines] in timelines?.isAllowed == true ? PostgreSQLTimelines.text : nil },
        look: lookOnLoan)
      let outcome: Result<Committed<Value>, any Error>
      do {
        if kind == .write || kind == .end { try noteTimeline(session) }
        outcome = .success(try once(transaction, kind, body))
      } catch let error as PostgreSQLTransaction.UnknownOutcome {
        self.session = nil
        throw error
      } catch {
        if session.transaction != .idle { self.session = nil }
        // What a body makes of a failure is no decision: the transaction had ended before.
        if let failure = transaction.failure ?? (error as? PostgreSQLFailure) {
          if kind == .long || kind == .snapshot { throw error }
          // Its snapshot is older than another one's end. It can't fail so again if it has the counter before its snapshot.
          if kind == .write, failure.state == "40001", !transaction.ends.isEmpty { conflictsOfEnds += 1 }
          // It has waited in vain with the counter, as another one may have for it.
          if failure.state == "55P03" { conflictsOfEnds = 0 }
          switch attempts.next(after: failure) {
          case .fail: throw failure
          case .again(let limit, let newConnection):
            if newConnection { self.session = nil }
            call?.retried(newConnection ? .connection : .conflict)
            // This thread is the engine's own: no task waits for it but those whose turn has not come.
            Thread.sleep(forTimeInterval: Double.random(in: 0...limit.timeInterval))
          }
          continue
        }
        outcome = .failure(error)
      }
      // A commit that has changed something has proven it.
      if case .success = outcome, transaction.hasChanged { return try outcome.get() }
      if kind == .read || kind == .write || kind == .end { try demandPrimary(session) }
      return try outcome.get()
    }
  }

  private func once<Value>(
    _ transaction: PostgreSQLTransaction, _ kind: PostgreSQLTransaction.Kind,
    _ body: (StorageConnection) throws -> Value
  ) throws -> Committed<Value> {
    let connection = StorageConnection(transaction, recorder: habits.recorder)
    let value: Value
    do {
      try lookWhere()
      if kind == .write || kind == .end, habits.rehearses { try transaction.rehearse { _ = try body(connection) } }
      value = try body(connection)
    } catch {
      transaction.rollBack()
      throw error
    }
    let ends = transaction.ends.sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    guard !ends.isEmpty else {
      _ = try transaction.commit()
      return Committed(value: value, ends: nil)
    }
    // Of many, each would cost a row and a notice.
    let told = ends.count > StorageEnd.mostTold ? [.everything] : ends
    let answers = try transaction.commit(
      announcing: told.map { end in
        PostgreSQLStatement(
          LeaseStatements.sql.end.text(for: .postgreSQL), [.text(end.kind.rawValue), .text(end.subject)])
      })
    guard let committed = CommittedEnds(told, answers, at: .now) else {
      throw PostgreSQLTransaction.UnknownOutcome(cause: nil)
    }
    return Committed(value: value, ends: committed)
  }

  /// Finds out whether a session is with the database whose ends are applied to the caches: another one may be a primary that has lost
  /// its place, and answers by what it knew.
  private func lookWhere() throws {
    guard !connect.isBehindTransactionPooler, let keeper, let expected = keeper.identity else { return }
    guard let session, try identify(session) != expected else { return }
    keeper.hasStrayed()
    strays = true
  }

  /// The same for a connection on loan, where each transaction may be with another server.
  private var lookOnLoan: PostgreSQLTransaction.Look? {
    guard connect.isBehindTransactionPooler, let keeper, let expected = keeper.identity else { return nil }
    return PostgreSQLTransaction.Look(text: Self.identityText) { rows in
      if Self.identity(rows) != expected { keeper.hasStrayed() }
    }
  }

  private static let identityText = LeaseStatements.sql.identity.text(for: .postgreSQL)

  private static func identity(_ rows: PostgreSQLRows) -> DatabaseIdentity? {
    guard let system = rows.integer(0, 0), let timeline = rows.integer(0, 1) else { return nil }
    return DatabaseIdentity(system: system, timeline: timeline)
  }

  /// Refuses what was read from a primary that may have lost its place. It still tells what it knew: nothing of what was ended, begun
  /// or changed since at its successor. With a synchronous standby it can't commit any more, so one that has committed lately is none; nor
  /// is one that commits later what was sent after the read.
  private func demandPrimary(_ session: PostgreSQLSession) throws {
    guard let keeper, let node = keeper.node, !connect.isBehindTransactionPooler else { return }
    let read = ContinuousClock.now
    guard let identity = try identify(session) else { return }
    while true {
      switch keeper.standing(of: identity, readBy: read) {
      case .primary: return
      case .unproven:
        let sent = ContinuousClock.now
        let (proven, denial) = prove(identity, keeper, node)
        keeper.noteProof(proven, denial: denial, sent: sent)
        if proven == identity { return }
        self.session = nil
        throw keeper.denial ?? ServerError.primaryUnproven
      case .asked:
        // This thread is the engine's own.
        Thread.sleep(forTimeInterval: 0.005)
      // The session may be with the primary, which waits for its standby: the thread whose proof fails looks for another one.
      case .doubtful, .paused: throw keeper.denial ?? ServerError.primaryUnproven
      }
    }
  }

  /// Lets the database commit a write of this node's.
  /// - Returns: which one has, nil if it is not known that one has; and why the database does not let itself be asked, where it says so.
  private func prove(
    _ identity: DatabaseIdentity, _ keeper: LeaseKeeper, _ node: LeaseKeeper.Node
  ) -> (proven: DatabaseIdentity?, denial: ServerError?) {
    do {
      let link = try LeaseLink(connect.forProof(within: keeper.proofPatience))
      return (try link.prove(node, at: keeper.databaseTime) ? link.identity : nil, nil)
    } catch let failure as PostgreSQLFailure where failure.isAboutDisk {
      // That is no reason to doubt what it tells.
      return (identity, nil)
    } catch let failure as PostgreSQLFailure where failure.state == "42501" {
      return (nil, .postgreSQL(failure))
    } catch {
      return (nil, nil)
    }
  }

  /// The database that the session is with; nil for one that may not say.
  private func identify(_ session: PostgreSQLSession) throws(PostgreSQLFailure) -> DatabaseIdentity? {
    if let identity { return identity }
    do {
      let found = Self.identity(try session.run(Self.identityText))
      identity = .some(found)
      return found
    } catch  where error.state == "42501" {
      identity = .some(nil)
      return nil
    } catch {
      // A standby, for one.
      self.session = nil
      throw error
    }
  }

  private func noteTimeline(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
    guard !isNoted, let timelines else { return }
    try timelines.note(session, keeper?.habits.terms)
    isNoted = true
  }

  private func live() throws(PostgreSQLFailure) -> PostgreSQLSession {
    if let session, !strays, session.isAlive, session.transaction == .idle { return session }
    session = nil
    isNoted = false
    let new = try connect()
    (session, identity, strays) = (new, nil, false)
    return new
  }
}

extension PostgreSQLWorker.Committed: Sendable where Value: Sendable {}
