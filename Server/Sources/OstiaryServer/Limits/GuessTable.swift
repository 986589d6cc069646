import Crypto
import Foundation
internal import OstiaryCore

/// Counts wrong guesses in the database.
///
/// A guess is counted *before* it is verified and taken back if it was right, in transactions. Any number of guesses
/// may run side by side, in any number of processes: no more than the budget have an outcome, and a crash in between never
/// adds to the budget (``GuessMark``). Subjects, networks and devices are stored as keyed hashes. A subject that exists and one that
/// doesn't make the same rows, and these are removed alike.
struct GuessTable: Sendable {
  /// The key of one count.
  struct Row: Hashable, Sendable {
    let subject: Data
    let part: Data
  }

  /// A guess that was counted.
  struct Ticket: Sendable {
    let rows: [(scope: GuessScope, row: Row)]
    let budget: GuessBudget
    /// The row of its mark; nil if it is verified in the transaction that counts it.
    var mark: Row?
  }

  enum Answer: Sendable {
    case counted(Ticket)
    case wait(Duration, because: Row)
  }

  private static let batch = 2000
  private let ring: KeyRing
  private var keys: PurposeKeys { ring.keys(for: "limits.guesses") }

  /// The key by which rows are named; nil while it is being changed, so that there are two names.
  var onlyKey: SymmetricKey? {
    let keys = keys
    return keys.others.isEmpty ? keys.current.key : nil
  }

  init(_ ring: KeyRing) { self.ring = ring }

  // MARK: Names

  private func hash(_ key: SymmetricKey, _ texts: Data...) -> Data {
    var code = HMAC<SHA256>(key: key)
    for text in texts {
      code.update(data: withUnsafeBytes(of: UInt32(text.count).bigEndian) { Data($0) })
      code.update(data: text)
    }
    return Data(code.finalize().prefix(16))
  }

  private func subject<Thing: Guessable>(_ guess: Guess<Thing>, _ key: SymmetricKey) -> Data {
    hash(key, Data(Thing.label.description.utf8), Data("one".utf8), guess.subject)
  }

  /// - Parameters:
  ///   - device: The device, if it is known to the subject.
  ///   - key: The one by which the rows are named.
  private func rows<Thing: Guessable>(
    _ guess: Guess<Thing>, device: KnownDevice?, _ key: SymmetricKey
  ) -> [(scope: GuessScope, row: Row)] {
    let network = guess.source.address.map(GuessNetwork.init)
    let label = Data(Thing.label.description.utf8)
    let one = subject(guess, key)
    let all = hash(key, label, Data("all".utf8))
    return GuessBudget.scopes(network: network, isKnownDevice: device != nil).map { scope in
      (scope, Row(subject: scope.isOfAll ? all : one, part: part(scope, network, device: device, key)))
    }
  }

  private func part(
    _ scope: GuessScope, _ network: GuessNetwork?, device: KnownDevice?, _ key: SymmetricKey
  ) -> Data {
    let bytes =
      switch scope {
      case .device: Data((device?.id ?? "").utf8)
      case .host, .hostOfAll: Data(network?.host ?? [])
      case .site, .siteOfAll: Data(network?.site ?? [])
      case .provider, .providerOfAll: Data(network?.provider ?? [])
      case .everywhere: Data()
      }
    return hash(key, Data("\(scope)".utf8), bytes)
  }

  // MARK: Counting

  private func counts(
    _ statement: StorageStatement, _ rows: [(scope: GuessScope, row: Row)], in db: StorageConnection
  ) throws -> [GuessScope: GuessCount] {
    var counts: [GuessScope: GuessCount] = [:]
    for isOfAll in [false, true] {
      let rows = rows.filter { $0.scope.isOfAll == isOfAll }
      guard let first = rows.first else { continue }
      func part(_ index: Int) -> Data { index < rows.count ? rows[index].row.part : first.row.part }
      let found = try db.all(statement, first.row.subject, part(0), part(1), part(2), part(3)) {
        reader -> (Data, GuessCount) in
        (reader.next(), GuessCount(failures: reader.next(), at: reader.next()))
      }
      for (part, count) in found {
        guard let scope = rows.first(where: { $0.row.part == part })?.scope else { continue }
        counts[scope] = count
      }
    }
    return counts
  }

  /// The counts, by the names of any of the keys. While the server's key is changed, servers that are a moment behind name a row by the
  /// one before: together they must not allow more than the budget.
  /// - Parameters:
  ///   - moves: whether what was found by another name is moved to the newest.
  ///   - rows: gives the rows as they are named by a key.
  /// - Returns: the rows, by the names by which they are to be written, and their counts.
  private func found(
    _ statement: StorageStatement, moves: Bool, in db: StorageConnection,
    _ rows: (SymmetricKey) -> [(scope: GuessScope, row: Row)]
  ) throws -> (rows: [(scope: GuessScope, row: Row)], counts: [GuessScope: GuessCount]) {
    let keys = keys
    var own = rows(keys.current.key)
    var all = try counts(statement, own, in: db)
    // The oldest first: what was counted is written by the newest name that there is.
    for other in keys.others.reversed() {
      let isNewer = other.number > keys.current.number
      let others = rows(other.key)
      let found = try counts(statement, others, in: db)
      for (index, (scope, row)) in others.enumerated() {
        guard let count = found[scope] else { continue }
        let mine = all[scope]
        let total = GuessCount(
          failures: count.failures + (mine?.failures ?? 0), at: max(count.at, mine?.at ?? count.at))
        all[scope] = total
        let (kept, dropped) = isNewer ? (row, own[index].row) : (own[index].row, row)
        own[index].row = kept
        guard moves else { continue }
        try db.run(GuessStatements.sql.forget, dropped.subject, dropped.part)
        try write(total, scope, kept, in: db)
      }
    }
    return (own, all)
  }

  /// Counts a guess, or returns the wait before the next one.
  func reserve<Thing: Guessable>(
    _ guess: Guess<Thing>, device: KnownDevice?, _ budget: GuessBudget, now: Date, in db: StorageConnection
  ) throws -> Answer {
    let now = now.timeIntervalSince1970
    let (rows, counts) = try found(GuessStatements.sql.findForCounting, moves: true, in: db) {
      self.rows(guess, device: device, $0)
    }
    let answer = try reserve(rows, budget, knowing: counts, now: now, in: db)
    guard case .wait = answer, try takeBackLost(beside: GuessMark.anchor(rows), now: now, in: db) else { return answer }
    return try reserve(rows, budget, now: now, in: db)
  }

  /// Counts a guess that is verified after the transaction, and so may be lost with the server. The caller lets it have its outcome, or
  /// releases it.
  /// - Parameter key: ``onlyKey``. With it the transaction needs no isolation but that of the rows, all of which it locks. Without it
  ///   the transaction is serializable.
  /// - Returns: the answer, and the row beside which there are lost guesses, if a wait may be theirs. The caller takes these back, in a
  ///   transaction of its own (``takeBackLost(beside:now:in:)``), and asks again.
  func reserveForLater<Thing: Guessable>(
    _ guess: Guess<Thing>, device: KnownDevice?, _ budget: GuessBudget, _ key: SymmetricKey?, now: Date,
    in db: StorageConnection
  ) throws -> (answer: Answer, lostBeside: Row?) {
    let answer: Answer
    var lostBeside: Row?
    if let key {
      let (rows, time) = (Self.inOrder(self.rows(guess, device: device, key)), now.timeIntervalSince1970)
      answer = try reserveLocking(rows, budget, now: time, in: db)
      let anchor = GuessMark.anchor(rows)
      if case .wait = answer, try !GuessMark.lost(beside: anchor, now: time, in: db).isEmpty { lostBeside = anchor }
    } else {
      answer = try reserve(guess, device: device, budget, now: now, in: db)
    }
    guard case .counted(var ticket) = answer else { return (answer, lostBeside) }
    let mark = GuessMark(ticket.rows, budget)
    try mark.store(now: now.timeIntervalSince1970, in: db)
    ticket.mark = mark.row
    return (.counted(ticket), nil)
  }

  /// The order in which rows are locked and changed: see ``GuessStatements/find``.
  private static func inOrder(_ rows: [(scope: GuessScope, row: Row)]) -> [(scope: GuessScope, row: Row)] {
    rows.sorted { one, other in
      one.scope.isOfAll == other.scope.isOfAll
        ? one.row.part.lexicographicallyPrecedes(other.row.part) : other.scope.isOfAll
    }
  }

  private func reserveLocking(
    _ rows: [(scope: GuessScope, row: Row)], _ budget: GuessBudget, now: TimeInterval, in db: StorageConnection
  ) throws -> Answer {
    let seen = try counts(GuessStatements.sql.find, rows, in: db)
    let isSetBack = seen.values.contains { $0.failures > 0 && $0.at > now }
    // What was seen may be old: that makes no guess one too many. A refusal locks no row.
    if !isSetBack, case .wait(let wait, let scope) = budget.decide(seen, rows.map(\.scope), now: now) {
      return Self.wait(wait, scope, rows)
    }
    return try reserve(rows, budget, knowing: lock(rows, seen, now: now, in: db), now: now, in: db)
  }

  /// How often rows may go while they are being locked.
  private static let mostLosses = 20

  /// The counts, all of whose rows are there and locked until the transaction ends. A row that is not there can't be locked, and two
  /// guesses would each be the first.
  /// - Parameter seen: what was there without a lock.
  private func lock(
    _ rows: [(scope: GuessScope, row: Row)], _ seen: [GuessScope: GuessCount], now: TimeInterval,
    in db: StorageConnection
  ) throws -> [GuessScope: GuessCount] {
    // SQLite has one writer at a time.
    guard db.announcesEnds else { return seen }
    var found = seen
    for _ in 0..<Self.mostLosses {
      for (scope, row) in rows where found[scope] == nil {
        try db.run(GuessStatements.sql.open, row.subject, row.part, now)
      }
      found = try counts(GuessStatements.sql.findForCounting, rows, in: db)
      // A right guess may have removed one meanwhile.
      if found.count == rows.count { return found }
    }
    throw ServerError(
      .storageBusy, "Too many guesses are counted at once.", advice: "Try again.", retryAfter: .seconds(1))
  }

  /// Takes back the guesses of servers that are gone.
  ///
  /// These may be guesses at any name. So all marks are removed before the first count is changed, and the counts are changed in the order
  /// in which others lock them: those of one name, and the network's last. A transaction that holds a count already has it out of order.
  /// - Returns: whether there were some.
  func takeBackLost(beside anchor: Row, now: TimeInterval, in db: StorageConnection) throws -> Bool {
    let lost = try GuessMark.lost(beside: anchor, now: now, in: db)
    // Of two that look at once, or beside its own server, one finds it.
    let changes = try lost.filter { try GuessMark.remove($0.row, in: db) }.flatMap(\.changes)
    for change in changes.sorted(by: { Self.isBefore($0.row, $1.row, of: anchor.subject) }) {
      try db.run(GuessStatements.sql.takeBack, change.seconds, change.row.subject, change.row.part)
    }
    return !lost.isEmpty
  }

  /// - Parameter all: the subject of the counts that are of all subjects.
  private static func isBefore(_ one: Row, _ other: Row, of all: Data) -> Bool {
    if one.subject == other.subject { return one.part.lexicographicallyPrecedes(other.part) }
    if one.subject == all || other.subject == all { return other.subject == all }
    return one.subject.lexicographicallyPrecedes(other.subject)
  }

  /// - Parameter known: the counts, if they have been read.
  private func reserve(
    _ rows: [(scope: GuessScope, row: Row)], _ budget: GuessBudget, knowing known: [GuessScope: GuessCount]? = nil,
    now: TimeInterval, in db: StorageConnection
  ) throws -> Answer {
    let counts = try known ?? self.counts(GuessStatements.sql.findForCounting, rows, in: db)
    switch budget.decide(counts, rows.map(\.scope), now: now) {
    case .wait(let wait, let scope):
      for (scope, row) in rows {
        // The machine's clock was set back: no wait becomes longer by that.
        guard let count = counts[scope], count.failures > 0, count.at > now else { continue }
        try write(GuessCount(failures: count.failures, at: now), scope, row, in: db)
      }
      return Self.wait(wait, scope, rows)
    case .allow(let new):
      for (scope, row) in rows {
        guard let count = new[scope] else { continue }
        try write(count, scope, row, in: db)
      }
      return .counted(Ticket(rows: rows, budget: budget))
    }
  }

  private static func wait(
    _ wait: TimeInterval, _ scope: GuessScope, _ rows: [(scope: GuessScope, row: Row)]
  ) -> Answer {
    let row = rows.first { $0.scope == scope }?.row
    return .wait(.seconds(wait), because: row ?? Row(subject: Data(), part: Data()))
  }

  private func write(_ count: GuessCount, _ scope: GuessScope, _ row: Row, in db: StorageConnection) throws {
    try db.run(
      GuessStatements.sql.count, row.subject, row.part, count.failures, count.at, count.forgottenAt(scope))
  }

  /// The wait before the next guess, without counting one; nil if it may be made.
  func wait<Thing: Guessable>(
    _ guess: Guess<Thing>, device: KnownDevice?, _ budget: GuessBudget, now: Date, in db: StorageConnection
  ) throws -> Duration? {
    let now = now.timeIntervalSince1970
    let found = try self.found(GuessStatements.sql.find, moves: false, in: db) { self.rows(guess, device: device, $0) }
    let rows = found.rows
    var counts = found.counts
    guard case .wait = budget.decide(counts, rows.map(\.scope), now: now) else { return nil }
    // As they would be taken back.
    for change in try GuessMark.lost(beside: GuessMark.anchor(rows), now: now, in: db).flatMap(\.changes) {
      for (scope, row) in rows where row == change.row {
        guard let count = counts[scope] else { continue }
        counts[scope] = GuessCount(failures: max(0, count.failures - 1), at: count.at - change.seconds)
      }
    }
    guard case .wait(let wait, _) = budget.decide(counts, rows.map(\.scope), now: now) else { return nil }
    return .seconds(wait)
  }

  // MARK: Afterwards

  /// How a guess stands that was verified.
  enum Standing: Sendable {
    case counts
    /// It was given up as lost meanwhile, and was counted once more.
    case countsAnew
    /// It was given up as lost meanwhile, and others have taken its place: its outcome must not become known.
    case isTooLate(Duration)
  }

  /// How a guess stands, in the transaction that has the consequences. Until that ends no other server gives the guess up.
  func standing(of ticket: Ticket, now: Date, in db: StorageConnection) throws -> Standing {
    guard let mark = ticket.mark else { return .counts }
    if try db.exists(GuessStatements.sql.markForUse, mark.subject, mark.part) { return .counts }
    switch try reserve(ticket.rows, ticket.budget, now: now.timeIntervalSince1970, in: db) {
    case .counted: return .countsAnew
    case .wait(let wait, _): return .isTooLate(wait)
    }
  }

  /// A guess was wrong, and counts.
  func keep(_ ticket: Ticket, in db: StorageConnection) throws {
    if let mark = ticket.mark { try db.run(GuessStatements.sql.forget, mark.subject, mark.part) }
  }

  /// Takes back a guess that was not wrong, unless it was given up as lost.
  /// - Parameter isRight: false if it was not verified.
  func release(_ ticket: Ticket, isRight: Bool, in db: StorageConnection) throws {
    guard let mark = ticket.mark, try GuessMark.remove(mark, in: db) else { return }
    try takeBack(ticket, isRight: isRight, in: db)
  }

  /// Takes back a guess that was not wrong.
  /// - Parameter isRight: false if it was not verified.
  func takeBack(_ ticket: Ticket, isRight: Bool, in db: StorageConnection) throws {
    for (scope, row) in Self.inOrder(ticket.rows) {
      switch ticket.budget.change(scope, isRight: isRight) {
      case .forget: try db.run(GuessStatements.sql.forget, row.subject, row.part)
      case .takeBack(let seconds): try db.run(GuessStatements.sql.takeBack, seconds, row.subject, row.part)
      }
    }
  }

  /// Resets a subject's counts.
  func forget<Thing: Guessable>(_ thing: Thing.Type, _ subject: Data, in db: StorageConnection) throws {
    let guess = Guess<Thing>(subject: subject, source: .unknown)
    for key in keys.all { try db.run(GuessStatements.sql.forgetSubject, self.subject(guess, key.key)) }
  }

  // MARK: Asking

  /// Counts a request, by its subject and by its network: a number of requests at once, and one more in each interval; more for
  /// the wider networks around it. Returns the wait if there were too many. Without a network nothing is counted.
  /// - Parameter chosen: The scopes in which it is counted; nil for all networks.
  func ask(
    _ label: StaticString, subject: Data, from network: GuessNetwork?, _ budget: GuessBudget,
    _ chosen: [GuessScope]? = nil, now: Date, in db: StorageConnection
  ) throws -> Duration? {
    guard let network else { return nil }
    let now = now.timeIntervalSince1970
    let scopes = chosen ?? GuessBudget.scopes(network: network, isKnownDevice: false).filter(\.isOfAll)
    let (rows, counts) = try found(GuessStatements.sql.findForCounting, moves: true, in: db) { key in
      let one = hash(key, Data("ask".utf8), Data(label.description.utf8), subject)
      return scopes.map { (scope: $0, row: Row(subject: one, part: part($0, network, device: nil, key))) }
    }
    switch budget.decide(counts, scopes, now: now) {
    case .wait(let wait, _): return .seconds(wait)
    case .allow(let new):
      for (scope, row) in rows {
        guard let count = new[scope] else { continue }
        try write(count, scope, row, in: db)
      }
      return nil
    }
  }

  // MARK: Housekeeping

  /// Removes counts without effect, and keeps the table below its limit: the counts that end soonest are removed first,
  /// whether or not a subject exists.
  static func tidy(now: Date, most: Int, in db: StorageConnection) throws {
    try db.run(GuessStatements.sql.removeForgotten, now, batch)
    let count = try db.count(GuessStatements.sql.total)
    guard count > most else { return }
    // Rarely, and then many at once.
    try db.run(GuessStatements.sql.removeSoonest, count - most + most / 10)
  }
}
