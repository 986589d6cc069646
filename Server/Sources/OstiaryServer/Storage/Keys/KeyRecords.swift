import Foundation
import OstiaryCore

/// The server's keys as the database has them, each sealed with another: who has one of them that counts, and only then, has all that
/// count.
struct KeyRecords: Sendable {
  struct Row: Sendable {
    let number: Int64
    let check: Data
    let stage: KeyStage
    let key: KeyRotation.Key
    /// This key, sealed with the one before it.
    let underFormer: Data?
    /// The one before it, sealed with this one.
    let formerUnder: Data?
    let remains: Data?
  }

  /// In the order of their numbers; none where the key was never changed.
  let rows: [Row]
  private static let sql = KeyStatements.sql

  /// - Parameter isForUse: for a transaction that decides by them.
  init(isForUse: Bool = false, in db: StorageConnection) throws {
    rows = try db.all(isForUse ? Self.sql.allForUse : Self.sql.all) { reader in
      let number: Int64 = reader.next()
      let check: Data = reader.next()
      let stage = KeyStage(rawValue: reader.next()) ?? .retired
      let key = KeyRotation.Key(
        number: number, stage: stage, offeredAt: reader.next(), usedAt: reader.next(), settledAt: reader.next(),
        neededUntil: reader.next(), resealedAt: reader.next())
      return Row(
        number: number, check: check, stage: stage, key: key, underFormer: reader.next(), formerUnder: reader.next(),
        remains: reader.next())
    }
  }

  /// What a reader compares with what it has read before. With the keys' check values: a database that has lost an offer may have
  /// another one of the same number since.
  var stages: [String] { rows.map { "\($0.number) \($0.stage.rawValue) \($0.check.base64URL)" } }

  private var counting: [Row] { rows.filter { $0.stage != .retired } }

  /// The keys that count, for a process that has at least one of them.
  /// - Throws: `serverKeyIsAnother` if it has none of them, `storageCorrupt` if one can't be opened.
  func content(knowing known: [ServerKey]) throws -> KeyRing.Content {
    let counting = counting
    var keys: [Int64: ServerKey] = [:]
    for row in counting { keys[row.number] = known.first { Self.isKey($0, of: row) } }
    guard !keys.isEmpty else { throw refusal(of: known) }
    for _ in counting {
      for (before, row) in zip(counting, counting.dropFirst()) {
        if keys[row.number] == nil, let key = keys[before.number], let sealed = row.underFormer {
          keys[row.number] = key.opened(sealed, number: row.number)
        }
        if keys[before.number] == nil, let key = keys[row.number], let sealed = row.formerUnder {
          keys[before.number] = key.opened(sealed, number: before.number)
        }
      }
    }
    let entries = counting.compactMap { row in keys[row.number].map { KeyRing.Entry(number: row.number, key: $0) } }
    guard entries.count == counting.count, zip(entries, counting).allSatisfy({ Self.isKey($0.key, of: $1) }),
      let current = counting.first(where: { $0.stage == .current })
    else {
      throw ServerError(
        .storageCorrupt, "A key of the server in the database is damaged.", advice: "Restore a back-up.")
    }
    var remains: [Int64: KeyRemains] = [:]
    for row in rows where row.stage == .retired {
      guard let sealed = row.remains else { continue }
      remains[row.number] = entries.lazy.compactMap { KeyRemains(sealed, of: row.number, with: $0.key) }.first
    }
    return KeyRing.Content(keys: entries, current: current.number, remains: remains, stages: stages)
  }

  private static func isKey(_ key: ServerKey, of row: Row) -> Bool { ConstantTime.isEqual(row.check, key.checkValue) }

  private func refusal(of known: [ServerKey]) -> ServerError {
    let place = known.first?.place ?? ""
    let isRetired = rows.contains { row in row.stage == .retired && known.contains { Self.isKey($0, of: row) } }
    return ServerError(
      .serverKeyIsAnother,
      isRetired
        ? "The key of \(place) was retired: the database has another one since."
        : "The key of \(place) is not the one that this database is used with.",
      advice: """
        Start it with that key (--key-file FILE, OSTIARY_KEY, systemd's credential, or the file ostiary.key in the data folder). If \
        the key is lost, `ostiary key accept` makes the database take this one, and says what is lost with it.
        """)
  }

  // MARK: Changing them

  /// Lets the database take a key in place of all that it has had.
  /// - Returns: nil if it has had one alone.
  func replaced(with key: ServerKey, in db: StorageConnection) throws -> KeyRing.Content? {
    guard let last = rows.last else { return nil }
    let (number, now) = (last.number + 1, Date())
    try db.run(Self.sql.removeAll)
    try db.run(
      Self.sql.insert, number, key.checkValue, KeyStage.current.rawValue, now, now, nil as Data?, nil as Data?)
    return KeyRing.Content(
      keys: [KeyRing.Entry(number: number, key: key)], current: number, stages: try KeyRecords(in: db).stages)
  }

  /// Offers a key to follow the current one.
  func offer(_ new: ServerKey, after content: KeyRing.Content, at now: Double, in db: StorageConnection) throws {
    guard let current = content[content.current] else { throw ServerError.serverKeyChanges }
    if rows.isEmpty {
      try db.run(
        Self.sql.insert, content.current, current.checkValue, KeyStage.current.rawValue, now, now, nil as Data?,
        nil as Data?)
    }
    let number = (rows.last?.number ?? content.current) + 1
    try db.run(
      Self.sql.insert, number, new.checkValue, KeyStage.offered.rawValue, now, nil as Double?,
      try new.sealed(as: number, with: current), try current.sealed(as: content.current, with: new))
  }

  /// Retires the former key: what is sealed with it goes, and what is left of it is sealed with the current one.
  func retire(_ former: Int64, content: KeyRing.Content, in db: StorageConnection) throws {
    guard let old = content[former], let current = content[content.current], former != content.current else {
      throw ServerError.serverKeyChanges
    }
    var remains = content.remains
    remains[former] = KeyRemains(of: old)
    for (number, remains) in remains {
      try db.run(Self.sql.keepRemains, try remains.sealed(of: number, with: current), number)
    }
    try db.run(Self.sql.retire, former)
    try db.run(Self.sql.forget, content.current)
  }

  // MARK: In other transactions

  /// For a transaction that seals what must not be lost: refuses a key that another one has followed meanwhile.
  static func demandUse(of number: Int64, in db: StorageConnection) throws {
    let current: Int64? = try db.value(sql.current)
    guard current == nil || current == number else { throw ServerError.serverKeyChanges }
  }

  /// For a transaction that could not open something: refuses if there is a key that the process does not have yet.
  static func demandKnowledge(of number: Int64, in db: StorageConnection) throws {
    let newest: Int64? = try db.value(sql.newest)
    guard newest ?? number <= number else { throw ServerError.serverKeyChanges }
  }
}

extension ServerError {
  /// This process has not heard of the newest key yet.
  static var serverKeyChanges: ServerError {
    ServerError(
      .storageBusy, "The server's key is being changed.", advice: "Try again.", retryAfter: .seconds(1))
  }
}
