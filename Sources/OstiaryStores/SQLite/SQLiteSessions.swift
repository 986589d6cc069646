#if SQLite
  import Crypto
  import Foundation
  import GRDB
  import OstiaryCore

  /// The statements of a ``SQLiteStore``, each change one that compares and writes at once.
  ///
  /// A key is kept as the bytes of its name, because SQLite ends text at a zero byte. A digest of key and session finds
  /// damage, not forgery: a program that can write the file can also compute it. The digest of an ended entry has one
  /// byte more, 1, which is digested too: so it is told from a session without reading it, in the tables of the version
  /// before.
  enum SQLiteSessions {
    /// What there is for a key.
    enum Found: Sendable { case absent, present(Data), damaged }

    static func load(_ db: Database, _ key: SessionKey) throws -> Found {
      let statement = try db.cachedStatement(sql: "SELECT data, digest FROM sessions WHERE key = ?")
      guard let row = try Row.fetchOne(statement, arguments: [name(key)]) else { return .absent }
      // Columns of another type are damage, not a reason to trap.
      guard let data = Data.fromDatabaseValue(row[0]), let stated = Data.fromDatabaseValue(row[1]),
        stated == digest(data, key, isEnded: stated.count == endedDigestLength)
      else { return .damaged }
      return .present(data)
    }

    static func keys(_ db: Database) throws -> [SessionKey] {
      try Data.fetchAll(db, sql: "SELECT key FROM sessions WHERE length(digest) <> \(endedDigestLength)")
        .map { SessionKey(String(decoding: $0, as: UTF8.self)) }.sorted { $0.name < $1.name }
    }

    /// How many bytes are stored for a key.
    static func length(_ db: Database, _ key: SessionKey) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT length(data) FROM sessions WHERE key = ?", arguments: [name(key)]) ?? 0
    }

    /// - Parameter isEnded: whether it is an ended entry.
    /// - Returns: whether what is stored was what was expected.
    static func save(
      _ db: Database, _ data: Data, _ key: SessionKey, replacing expected: StoreExpectation, isEnded: Bool = false
    ) throws -> Bool {
      let digest = digest(data, key, isEnded: isEnded)
      let insert = "INSERT INTO sessions (key, data, digest) VALUES (?, ?, ?) ON CONFLICT (key) DO "
      let row: StatementArguments = [name(key), data, digest]
      switch expected {
      case .anything:
        try execute(db, insert + "UPDATE SET data = excluded.data, digest = excluded.digest", row)
      case .nothing: try execute(db, insert + "NOTHING", row)
      case .exactly(let old):
        try execute(
          db, "UPDATE sessions SET data = ?, digest = ? WHERE key = ? AND data = ?",
          [data, digest, name(key), old])
      }
      return db.changesCount == 1
    }

    /// - Returns: whether nothing is stored now.
    static func remove(_ db: Database, _ key: SessionKey, ifHolding expected: StoreExpectation) throws -> Bool {
      var isGone = true
      try db.inTransaction(.immediate) {
        switch expected {
        case .anything: try execute(db, "DELETE FROM sessions WHERE key = ?", [name(key)])
        case .nothing: break
        case .exactly(let old):
          try execute(db, "DELETE FROM sessions WHERE key = ? AND data = ?", [name(key), old])
        }
        let find = try db.cachedStatement(sql: "SELECT 1 FROM sessions WHERE key = ?")
        isGone = try Row.fetchOne(find, arguments: [name(key)]) == nil
        return .commit
      }
      return isGone
    }

    static func removeAll(_ db: Database) throws {
      try db.inTransaction(.immediate) {
        try db.execute(sql: "DELETE FROM sessions; DELETE FROM damaged")
        return .commit
      }
    }

    /// Moves a damaged session to the table for these.
    /// - Returns: what was there, `damaged` when it has been moved now.
    static func keepDamagedAside(_ db: Database, _ key: SessionKey, at time: Date) throws -> Found {
      var found = Found.absent
      try db.inTransaction(.immediate) {
        found = try load(db, key)
        guard case .damaged = found else { return .rollback }
        try execute(
          db, "INSERT INTO damaged (key, data, digest, found) SELECT key, data, digest, ? FROM sessions WHERE key = ?",
          [time.ISO8601Format(), name(key)])
        try execute(db, "DELETE FROM sessions WHERE key = ?", [name(key)])
        return .commit
      }
      return found
    }

    private static func execute(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
      try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private static func name(_ key: SessionKey) -> Data { Data(key.canonicalName.utf8) }

    private static let endedDigestLength = 33

    private static func digest(_ data: Data, _ key: SessionKey, isEnded: Bool) -> Data {
      var hash = SHA256()
      hash.update(data: Data(SHA256.hash(data: name(key))))
      hash.update(data: data)
      guard isEnded else { return Data(hash.finalize()) }
      hash.update(data: Data([1]))
      return Data(hash.finalize()) + [1]
    }
  }
#endif
