import Foundation

/// Gives a form that is sent again the outcome of the first time: after a double click, a connection that was closed before the
/// answer, or a server that was killed before it.
///
/// The contract, for any form whose flow has a secret number that only its client has:
///
/// 1. Each form carries the flow's *turn* when it was drawn: ``SubmissionHistory/turn``. The turn grows with every submission that
///    has been acted upon; what was only malformed is none.
/// 2. A submission becomes a ``SubmissionMark``: the flow, the form's name, the turn, and a keyed digest of all that was sent.
/// 3. Its effects, and its outcome, are written in one transaction, in ``handle(_:until:now:in:_:)``. Of any number of equal
///    submissions, in any number of processes that share the database, the first acts; each other gets the first one's outcome, and
///    writes nothing. An outcome is a value from which its caller can draw the answer again.
/// 4. The same form of the same turn with another content is told that the form was sent already, if the first was accepted. If it
///    was refused, the other content is a new try. After a few other contents the first one gets no answer any more: repeats are no
///    way around the limits of guesses.
///
/// A session that a submission begins is proven by ``SubmissionMark/proof``, which every repeat derives again: an outcome says
/// only that there was one. It begins in the same transaction. A repeat looks it up, and never begins it again.
///
/// **What is stored opens nothing.** The keys of digests, outcomes and proofs are derived from the server's key and the flow's
/// number. No table has the number by itself: a copy of the database, even with the server's key, is no place to try passwords, and
/// holds no session. Only a mail that waits, whose link names its flow, has it, sealed with the server's key, until it is sent. Rows
/// end with their flow.
struct SubmissionStore: Sendable {
  /// The entries of a flow that are kept; the newest.
  static let mostOfFlow = 16
  /// The entries of all flows; those that end soonest are removed first.
  static let most = 400_000
  private static let batch = 100

  private let ring: KeyRing

  init(_ ring: KeyRing) { self.ring = ring }

  /// The keys of one flow.
  /// - Parameters:
  ///   - number: 128 bits or more that only the client of the flow has.
  ///   - key: the number of the server's key with which the flow was begun; nil for the current one.
  func keys(ofFlow number: String, begunWith key: Int64? = nil) -> SubmissionKeys {
    let keys = ring.keys(for: "flows.submissions")
    return SubmissionKeys(number, key: key.flatMap { keys[$0] } ?? keys.current.key)
  }

  /// What was done with a submission.
  enum Handled<Outcome: Sendable>: Sendable {
    /// It was the first, and this is its outcome.
    case first(Outcome)
    /// It was handled before, with this outcome.
    case again(Outcome)
    /// The form has been sent, and accepted, with another content.
    case sentOtherwise
  }

  /// What becomes of the outcome of a first submission.
  enum Fate {
    /// The flow has gone on: the form can't be sent with another content.
    case accepted
    /// It was looked at and refused: the same content gets the same refusal, another one is a new try.
    case refused
    /// Nothing has happened: the same submission is handled anew.
    case forgotten
  }

  /// Handles a submission in the transaction of its effects.
  /// - Parameters:
  ///   - end: The end of the flow.
  ///   - first: Does what the submission asks for, if nothing has been done yet. It is told the turn that forms have from now on, if
  ///     its outcome is kept. If it throws, the transaction has to end.
  func handle<Outcome: Codable & Sendable>(
    _ mark: SubmissionMark, until end: Date, now: Date, in db: StorageConnection,
    _ first: (_ nextTurn: Int) throws -> (outcome: Outcome, fate: Fate)
  ) throws -> Handled<Outcome> {
    if let handled: Handled<Outcome> = try earlier(mark, in: db) { return handled }
    let history = try SubmissionHistory(ofFlow: mark.flow, in: db)
    let sql = SubmissionStatements.sql
    let next = history.turn + 1
    // The transaction that inserts the row acts. Another one with the same row waits here for its end.
    guard try db.changed(by: sql.take, mark.flow, mark.turn, mark.digest, mark.form, next, end) == 1 else {
      return try earlier(mark, in: db) ?? .sentOtherwise
    }
    let (outcome, fate) = try first(next)
    guard fate != .forgotten else {
      try db.run(sql.release, mark.flow, mark.turn, mark.digest)
      return .first(outcome)
    }
    let sealed = try mark.seal(try JSONEncoder().encode(outcome))
    try db.run(sql.keep, fate == .accepted, sealed, mark.flow, mark.turn, mark.digest)
    try Self.tidy(history, now: now, in: db)
    return .first(outcome)
  }

  /// What became of a submission before; nil if nothing has been done with it. Another content than the first one is counted: a page
  /// that was left open is no place to try passwords.
  /// - Parameter history: The flow's, as it has been read a moment ago: most submissions are in none, and need no transaction that
  ///   writes. Nil where the same one may have been handled since.
  func earlier<Outcome: Decodable & Sendable>(
    _ mark: SubmissionMark, knowing history: SubmissionHistory? = nil, in storage: ServerStorage
  ) async throws -> Handled<Outcome>? {
    if let history {
      let handled: Handled<Outcome>? = history.earlier(mark)
      guard handled != nil else { return nil }
    }
    return try await storage.write { db -> Handled<Outcome>? in try earlier(mark, in: db) }
  }

  /// The same in a transaction, which has to be one that writes.
  private func earlier<Outcome: Decodable & Sendable>(
    _ mark: SubmissionMark, in db: StorageConnection
  ) throws -> Handled<Outcome>? {
    let handled: Handled<Outcome>? = try SubmissionHistory(ofFlow: mark.flow, in: db).earlier(mark)
    if case .sentOtherwise? = handled { try db.run(SubmissionStatements.sql.miss, mark.flow, mark.form) }
    return handled
  }

  /// Each entry removes a few: the table never needs more room than at its largest, and no separate cleaning job.
  private static func tidy(_ history: SubmissionHistory, now: Date, in db: StorageConnection) throws {
    let sql = SubmissionStatements.sql
    try db.run(sql.removeExpired, now, batch)
    if history.count >= mostOfFlow { try db.run(sql.removeOld, history.flow, history.turn + 1 - mostOfFlow) }
    // Counting is expensive, so it is rare: one entry in 256 does it.
    guard RandomBytes.make(1) == [0] else { return }
    let count = try db.count(sql.count)
    guard count > most else { return }
    try db.run(sql.removeSoonest, count - most)
  }
}

/// The submissions of one flow that have been acted upon, the oldest first. What it says about a new one depends on nothing else.
struct SubmissionHistory: Sendable {
  /// One submission.
  struct Entry: Sendable {
    /// The turn that its form had.
    let turn: Int
    let digest: Data
    let form: String
    let isAccepted: Bool
    /// How often its form was sent with another content since.
    let misses: Int
    /// The turn of the forms that were drawn after it.
    let nextTurn: Int
    /// Sealed; nil within the transaction that makes the entry.
    let outcome: Data?
  }

  private static let mostMisses = 5

  let flow: Data
  private let entries: [Entry]

  init(flow: Data, _ entries: [Entry]) {
    self.flow = flow
    self.entries = entries
  }

  /// The history of a flow, as the database has it.
  init(ofFlow flow: Data, in db: StorageConnection) throws {
    self.init(
      flow: flow,
      try db.all(SubmissionStatements.sql.ofFlow, flow) { reader in
        Entry(
          turn: reader.next(), digest: reader.next(), form: reader.next(), isAccepted: reader.next(),
          misses: reader.next(), nextTurn: reader.next(), outcome: reader.next())
      })
  }

  var count: Int { entries.count }

  /// The turn of a form that is drawn now.
  var turn: Int { entries.last?.nextTurn ?? 0 }

  /// What became of a submission before; nil if nothing has been done with it. It counts nothing: only the store asks.
  ///
  /// A form that has been accepted since it was drawn can't be sent with another content. Of another form of the same page the flow
  /// decides. After some other contents the first one is not recognised either: a password can't be guessed by repeats, which no
  /// limit of guesses counts.
  fileprivate func earlier<Outcome: Decodable & Sendable>(_ mark: SubmissionMark) -> SubmissionStore.Handled<Outcome>? {
    if let same = entries.first(where: { $0.turn == mark.turn && ConstantTime.isEqual($0.digest, mark.digest) }) {
      guard same.misses < Self.mostMisses else { return .sentOtherwise }
      // An outcome that can't be read any more is told like one of another content.
      return Self.outcome(of: same.outcome.flatMap(mark.open)).map { .again($0) } ?? .sentOtherwise
    }
    let isSent = entries.contains { $0.isAccepted && $0.form == mark.form && $0.nextTurn > mark.turn }
    return isSent ? .sentOtherwise : nil
  }

  /// The outcome of the last submission that was accepted.
  func last<Outcome: Decodable>(_ type: Outcome.Type = Outcome.self, keys: SubmissionKeys) -> Outcome? {
    guard let entry = entries.last(where: \.isAccepted) else { return nil }
    return Self.outcome(of: entry.outcome.flatMap { keys.open($0, digest: entry.digest) })
  }

  private static func outcome<Outcome: Decodable>(of data: Data?) -> Outcome? {
    data.flatMap { try? JSONDecoder().decode(Outcome.self, from: $0) }
  }
}
