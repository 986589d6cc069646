import Foundation

/// What the database has of a guess while that is verified: the counts that it has raised.
///
/// Its server removes it in the transaction that has the outcome, or right after. Of a server that is gone it stays, and the counts are
/// taken back when they would make another guess wait. A server that was only slow finds no mark any more: it counts the guess anew, and
/// tells the outcome if there is room for it. So the clock decides how soon counts are taken back, and never how many guesses have an
/// outcome.
///
/// It is a row of the table of counts, beside that of the network or the device, where it is found, and in the way of no other network's.
struct GuessMark: Sendable {
  typealias Row = GuessTable.Row

  /// A count that is taken back, and the seconds of a bucket.
  struct Change: Hashable, Sendable {
    let row: Row
    let seconds: TimeInterval
  }

  /// A server verifies a guess within that time, its wait for a thread included, or is gone.
  static let patience: TimeInterval = 10
  /// It outlives all counts, so that these are removed before it where there are too many.
  private static let memory = GuessRules.memory + GuessRules.day
  private static let (hash, change) = (16, 40)

  let row: Row
  let changes: [Change]

  /// A new one.
  /// - Parameter rows: the counts, with the scopes.
  init(_ rows: [(scope: GuessScope, row: Row)], _ budget: GuessBudget) {
    changes = rows.map { scope, row in
      let change = budget.change(scope, isRight: false)
      guard case .takeBack(let seconds) = change else { return Change(row: row, seconds: 0) }
      return Change(row: row, seconds: seconds)
    }
    let anchor = Self.anchor(rows)
    var part = anchor.part + Data(RandomBytes.make(Self.hash))
    for change in changes {
      part += change.row.subject + change.row.part
      part += withUnsafeBytes(of: change.seconds.bitPattern.bigEndian) { Data($0) }
    }
    row = Row(subject: anchor.subject, part: part)
  }

  /// One that was read.
  private init?(_ row: Row) {
    let bytes = [UInt8](row.part.dropFirst(2 * Self.hash))
    guard bytes.count % Self.change == 0 else { return nil }
    self.row = row
    changes = stride(from: 0, to: bytes.count, by: Self.change).map { start in
      let end = start + 2 * Self.hash
      let number = bytes[end..<(start + Self.change)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Change(
        row: Row(subject: Data(bytes[start..<(start + Self.hash)]), part: Data(bytes[(start + Self.hash)..<end])),
        seconds: TimeInterval(bitPattern: number))
    }
  }

  /// The row beside which it is: that of the network with all subjects, or what there is.
  static func anchor(_ rows: [(scope: GuessScope, row: Row)]) -> Row {
    let row = rows.first { $0.scope == .hostOfAll } ?? rows.first
    return row?.row ?? Row(subject: Data(), part: Data())
  }

  func store(now: TimeInterval, in db: StorageConnection) throws {
    try db.run(GuessStatements.sql.count, row.subject, row.part, 0, now, now + Self.memory)
  }

  /// - Returns: whether it was there.
  static func remove(_ row: Row, in db: StorageConnection) throws -> Bool {
    try db.changed(by: GuessStatements.sql.forget, row.subject, row.part) > 0
  }

  /// Those of servers that are gone, in the order in which they are removed.
  /// - Parameter anchor: the row beside which they are.
  static func lost(beside anchor: Row, now: TimeInterval, in db: StorageConnection) throws -> [GuessMark] {
    let end = anchor.part + Data(repeating: 0xFF, count: hash + 1)
    // One from the future is of a machine whose clock was set back.
    let parts: [Data] = try db.values(
      GuessStatements.sql.lost, anchor.subject, anchor.part, end, now - patience, now + patience)
    return parts.compactMap { GuessMark(Row(subject: anchor.subject, part: $0)) }
  }
}
