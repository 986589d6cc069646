import Foundation
internal import OstiaryPostgreSQL

/// A node's own connection, on which it hears of ends and asks for leases.
final class LeaseLink {
  private static let sql = LeaseStatements.sql

  let session: PostgreSQLSession
  /// The database that it is with.
  let identity: DatabaseIdentity
  /// Whether announcements arrive, which a pooler may keep from it.
  private(set) var isListening = false

  /// - Throws: `refused` by a read replica.
  init(_ session: PostgreSQLSession) throws {
    self.session = session
    let rows = try session.run(Self.sql.identity.text(for: .postgreSQL))
    identity = try Self.identity(rows, 0)
  }

  private func run(_ statement: StorageStatement, _ values: PostgreSQLValue...) throws -> PostgreSQLRows {
    try session.run(statement.text(for: .postgreSQL), values)
  }

  /// An answer has another form than the statement's.
  struct Unreadable: Error {}

  private static func identity(_ rows: PostgreSQLRows, _ row: Int, at column: Int = 0) throws -> DatabaseIdentity {
    guard let system = rows.integer(row, column), let timeline = rows.integer(row, column + 1) else {
      throw Unreadable()
    }
    return DatabaseIdentity(system: system, timeline: timeline)
  }

  // MARK: Listening

  /// Hears of ends from now on, if what another connection announces arrives while this one does nothing.
  /// - Parameter connect: makes the other connection.
  func listen(_ habits: LeaseHabits, _ connect: () throws -> PostgreSQLSession) throws {
    guard let channel = try run(Self.sql.channel).text(0, 0) else { throw Unreadable() }
    try session.run(script: "LISTEN \"\(channel)\"")
    let probe = "probe \(UUID().uuidString)"
    try connect().run(Self.sql.announce.text(for: .postgreSQL), [.text(channel), .text(probe)], keepsPrepared: false)
    let deadline = ContinuousClock.now + habits.probe
    while ContinuousClock.now < deadline {
      // What is lost here is shown by the first question.
      let heard = try session.waitForNews(until: deadline)
      isListening = heard.contains { $0.payload == probe && habits.hears?(probe) ?? true }
      if isListening { return }
    }
  }

  // MARK: The node's row

  /// - Returns: the answer, and the database's time.
  func ask(_ id: String, _ question: LeaseMachine.Question) throws -> (answer: LeaseAnswer, time: Double?) {
    _ = session.takeNotices()
    let rows = try run(
      Self.sql.question, .text(id), question.identity.map { PostgreSQLValue.integer($0.system) } ?? .null,
      question.identity.map { PostgreSQLValue.integer($0.timeline) } ?? .null, .integer(question.applied))
    guard let shown = rows.integer(0, 2), let isListed = rows.bool(0, 3), let areThere = rows.bool(0, 5),
      let number = rows.integer(0, 6)
    else { throw Unreadable() }
    // The wait for a synchronous standby was cancelled: it is not known whether a standby that takes over has the write.
    let isCommitted = !session.takeNotices().contains { $0.severity == "WARNING" }
    let answer = LeaseAnswer(
      identity: try Self.identity(rows, 0), shown: shown, isListed: isListed, isCommitted: isCommitted,
      silentWriters: SilentWriters(areThere: areThere, number: number))
    return (answer, rows.real(0, 4))
  }

  /// - Parameter time: the database's.
  func register(_ id: String, version: String, since: Double, at time: Double) throws {
    _ = try run(Self.sql.register, .text(id), .text(version), .real(since), .real(time))
  }

  /// Writes that the node was there.
  /// - Parameter time: the database's, as far as it is known.
  /// - Returns: the database's time, and whether it is known that the write was committed.
  func see(_ node: LeaseKeeper.Node, at time: Double) throws -> (time: Double?, isCommitted: Bool) {
    _ = session.takeNotices()
    let rows = try run(Self.sql.see, .text(node.id), .text(node.version), .real(node.since), .real(time))
    return (rows.real(0, 0), !session.takeNotices().contains { $0.severity == "WARNING" })
  }

  /// Lets the database commit something, which waits for no other transaction; and writes that the node was there, if its row is free.
  /// - Parameter time: the database's, as far as it is known.
  /// - Returns: whether it is known that it was committed.
  func prove(_ node: LeaseKeeper.Node, at time: Double) throws -> Bool {
    _ = session.takeNotices()
    do {
      _ = try run(Self.sql.prove, .text(node.id), .text(node.version), .real(node.since), .real(time))
    } catch let failure as PostgreSQLFailure where failure.state == "42501" {
      // An administrator has taken the right away.
      return try see(node, at: time).isCommitted
    }
    return !session.takeNotices().contains { $0.severity == "WARNING" }
  }

  func leave(_ id: String) throws { _ = try run(Self.sql.leave, .text(id)) }

  func writeApplied(_ number: Int64, _ id: String, _ identity: DatabaseIdentity) throws {
    _ = try run(
      Self.sql.writeApplied, .integer(number), .text(id), .integer(identity.system), .integer(identity.timeline))
  }

  /// Removes the rows of nodes that are gone, and ends that every node has read or will not read any more.
  /// - Parameter time: the database's.
  func tidy(at time: Double) throws {
    _ = try run(Self.sql.removeUnseen, .real(time - 24 * 3600))
    _ = try run(Self.sql.removeEnds, .real(time - 3600))
  }

  // MARK: Ends and the list

  func ends(after first: Int64, upTo last: Int64) throws -> (ends: [LeaseEnd], origin: DatabaseIdentity) {
    let rows = try run(Self.sql.endsBetween, .integer(first), .integer(last))
    let ends = (0..<rows.count).compactMap { row -> LeaseEnd? in
      guard let number = rows.integer(row, 2), let subject = rows.text(row, 4) else { return nil }
      // A kind of a later version: more than what is meant is forgotten.
      let kind = rows.text(row, 3).flatMap(LeaseEnd.Kind.init(rawValue:)) ?? .everything
      return LeaseEnd(number: number, kind: kind, subject: subject)
    }
    return (ends, try Self.identity(rows, 0))
  }

  func list() throws -> (nodes: [EndWait.Node], origin: DatabaseIdentity) {
    let rows = try run(Self.sql.list)
    let nodes = (0..<rows.count).compactMap { row -> EndWait.Node? in
      guard let id = rows.text(row, 2), let shown = rows.integer(row, 5), let applied = rows.integer(row, 6) else {
        return nil
      }
      return EndWait.Node(id: id, identity: try? Self.identity(rows, row, at: 3), shown: shown, applied: applied)
    }
    return (nodes, try Self.identity(rows, 0))
  }

  func takeOff(_ node: String, unlessShown number: Int64, _ identity: DatabaseIdentity) throws {
    _ = try run(
      Self.sql.takeOff, .text(node), .integer(identity.system), .integer(identity.timeline), .integer(number))
  }
}

extension CommittedEnds {
  /// - Parameters:
  ///   - ends: what was numbered, in the order of the statements.
  ///   - answers: those of the statements.
  init?(_ ends: [StorageEnd], _ answers: [PostgreSQLRows], at committed: ContinuousClock.Instant) {
    guard let first = answers.first, answers.count > ends.count, let system = first.integer(0, 1),
      let timeline = first.integer(0, 2)
    else { return nil }
    self.ends = zip(ends, answers).compactMap { end, rows in
      rows.integer(0, 0).map { LeaseEnd(number: $0, kind: end.kind, subject: end.subject) }
    }
    guard self.ends.count == ends.count else { return nil }
    identity = DatabaseIdentity(system: system, timeline: timeline)
    age = .seconds(first.real(0, 3) ?? 0)
    self.committed = committed
  }
}
