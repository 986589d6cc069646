#if PostgreSQL
  import Crypto
  import Foundation
  import OstiaryCore

  /// What a ``PostgreSQLStore`` says to its server.
  ///
  /// A row's key is the SHA-256 of the session's key: names may be longer than PostgreSQL allows in an index, and hold
  /// zero bytes.
  struct PostgreSQLStatements: Sendable {
    let table: String

    /// - Throws: ``OstiaryError`` `storeUnavailable` (misuse) for a name that would need quotes.
    init(table: String) throws(OstiaryError) {
      let isPlain = table.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
      guard isPlain, !table.isEmpty, table.utf8.count <= 63, table.first?.isNumber == false else {
        throw OstiaryError(
          .storeUnavailable, "The table's name can't be used.",
          advice: "Use at most 63 small letters, digits and underscores.", disposition: .misuse)
      }
      self.table = table
    }

    // MARK: The table

    var exists: String { "SELECT to_regclass('\(table)') IS NOT NULL" }

    /// `IF NOT EXISTS` alone fails when two create it at once.
    var create: String {
      """
      SELECT pg_advisory_xact_lock(\(Self.number("table \(table)")));
      CREATE TABLE IF NOT EXISTS \(table) (digest bytea PRIMARY KEY, name bytea NOT NULL, data bytea NOT NULL)
      """
    }

    // MARK: Sessions

    var load: String { "SELECT data FROM \(table) WHERE digest = $1" }
    var removeAll: String { "DELETE FROM \(table)" }
    var names: String { "SELECT name FROM \(table)" }

    func save(
      _ data: Data, _ key: SessionKey, replacing expected: StoreExpectation
    ) -> (sql: String, parameters: [Data]) {
      let insert = "INSERT INTO \(table) (digest, name, data) VALUES ($1, $2, $3) ON CONFLICT (digest) DO "
      let row = [Self.digest(key), Data(key.canonicalName.utf8), data]
      switch expected {
      case .anything: return (insert + "UPDATE SET data = excluded.data", row)
      case .nothing: return (insert + "NOTHING", row)
      case .exactly(let old):
        return ("UPDATE \(table) SET data = $2 WHERE digest = $1 AND data = $3", [Self.digest(key), data, old])
      }
    }

    /// Answers whether nothing is stored now, unless somebody else has been faster.
    func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) -> (sql: String, parameters: [Data]) {
      let found = "EXISTS (SELECT 1 FROM \(table) WHERE digest = $1)"
      func deleting(_ condition: String) -> String {
        """
        WITH removed AS (DELETE FROM \(table) WHERE digest = $1\(condition) RETURNING 1)
        SELECT EXISTS (SELECT 1 FROM removed) OR NOT \(found)
        """
      }
      switch expected {
      case .anything: return (deleting(""), [Self.digest(key)])
      case .nothing: return ("SELECT NOT \(found)", [Self.digest(key)])
      case .exactly(let old): return (deleting(" AND data = $2"), [Self.digest(key), old])
      }
    }

    // MARK: Exclusive access

    /// Tries to lock, says whether the table can be written, and reads: two statements, so that the second sees what the
    /// last holder has written.
    func lockAndLoad(_ key: SessionKey) -> String {
      let digest = Self.digest(key).map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
      return """
        SELECT pg_try_advisory_lock(\(lockNumber(key))),
          current_setting('transaction_read_only') = 'off' AND has_table_privilege('\(table)', 'UPDATE');
        SELECT data FROM \(table) WHERE digest = decode('\(digest)', 'hex')
        """
    }

    func unlock(_ key: SessionKey) -> String { "SELECT pg_advisory_unlock(\(lockNumber(key)))" }

    /// Advisory locks are named by a number. Where two keys should share one, they wait for each other.
    func lockNumber(_ key: SessionKey) -> Int64 { Self.number("session \(table) \(key.canonicalName)") }

    static func digest(_ key: SessionKey) -> Data { Data(SHA256.hash(data: Data(key.canonicalName.utf8))) }

    private static func number(_ name: String) -> Int64 {
      SHA256.hash(data: Data("ostiary \(name)".utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
  }
#endif
