#if PostgreSQL
  import Crypto
  import Foundation
  import OstiaryCore

  /// What a ``PostgreSQLStore`` says to its server.
  ///
  /// A row's key is the SHA-256 of the session's key: names may be longer than PostgreSQL allows in an index, and hold
  /// zero bytes. The name of an ended entry begins with the byte FF, which no name in UTF-8 has: so the table of the version
  /// before does, and needs no right to be altered.
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
    /// Answers whether anything was there.
    func removeAll(_ news: PostgreSQLNews) -> String {
      """
      WITH removed AS (DELETE FROM \(table) RETURNING 1)
      SELECT EXISTS (SELECT 1 FROM removed), \(telling(news)) WHERE EXISTS (SELECT 1 FROM removed)
      """
    }
    /// Of sessions only.
    var names: String { "SELECT name FROM \(table) WHERE substr(name, 1, 1) <> '\\xff'::bytea" }

    /// Changes one row, and tells the others, or none. That of an ended entry they are told of as of a removal.
    func save(
      _ data: Data, _ key: SessionKey, replacing expected: StoreExpectation, isEnded: Bool, id: UInt64
    ) -> (sql: String, parameters: [Data]) {
      let insert = "INSERT INTO \(table) (digest, name, data) VALUES ($1, $2, $3) ON CONFLICT (digest) DO "
      let digest = Self.digest(key)
      let name = (isEnded ? Data([0xFF]) : Data()) + Data(key.canonicalName.utf8)
      let row = [digest, name, data]
      let place = PostgreSQLPlace(of: key)
      let news = isEnded ? PostgreSQLNews.removed(place, id: id) : .saved(place, id: id)
      func telling(_ change: String) -> String {
        "WITH changed AS (\(change) RETURNING 1) SELECT \(self.telling(news)) FROM changed"
      }
      switch expected {
      case .anything: return (telling(insert + "UPDATE SET name = excluded.name, data = excluded.data"), row)
      case .nothing: return (telling(insert + "NOTHING"), row)
      case .exactly(let old):
        return (telling("UPDATE \(table) SET name = $2, data = $3 WHERE digest = $1 AND data = $4"), row + [old])
      }
    }

    /// Answers whether nothing is stored now, unless another writer has been faster, and whether something was.
    func remove(
      _ key: SessionKey, ifHolding expected: StoreExpectation, id: UInt64
    ) -> (sql: String, parameters: [Data]) {
      let digest = Self.digest(key)
      let news = PostgreSQLNews.removed(PostgreSQLPlace(of: key), id: id)
      let found = "EXISTS (SELECT 1 FROM \(table) WHERE digest = $1)"
      func deleting(_ condition: String) -> String {
        """
        WITH removed AS (DELETE FROM \(table) WHERE digest = $1\(condition) RETURNING 1),
          told AS (SELECT \(telling(news)) FROM removed)
        SELECT EXISTS (SELECT 1 FROM removed) OR NOT \(found), EXISTS (SELECT 1 FROM told)
        """
      }
      switch expected {
      case .anything: return (deleting(""), [digest])
      case .nothing: return ("SELECT NOT \(found), false", [digest])
      case .exactly(let old): return (deleting(" AND data = $2"), [digest, old])
      }
    }

    // MARK: News

    /// A name of at most 63 bytes that needs no quotes.
    private var channel: String { "ostiary_\(String(UInt64(bitPattern: Self.number("news \(table)")), radix: 16))" }

    private func telling(_ news: PostgreSQLNews) -> String { "pg_notify('\(channel)', '\(news.text)')" }

    var listen: String { "LISTEN \(channel)" }
    private var newsLock: Int64 { Self.number("news lock \(table)") }
    var lockNews: String { "SELECT pg_advisory_lock_shared(\(newsLock))" }
    var unlockNews: String { "SELECT pg_advisory_unlock_shared(\(newsLock))" }

    /// Waits until every listener has let go of the lock because it has heard of a removal, but not long: one may be
    /// stopped. Then says that the remover has stopped waiting. One transaction, so that the lock ends with it.
    func awaitListeners(id: UInt64, limit: Duration) -> String {
      """
      SELECT set_config('lock_timeout', '\(max(1, Int(limit.seconds * 1000)))', true);
      SELECT pg_advisory_xact_lock(\(newsLock));
      \(stopWaiting(id: id))
      """
    }

    /// Says that the remover does not wait any more for its removal to be heard of.
    func stopWaiting(id: UInt64) -> String { "SELECT \(telling(.heard(id: id)))" }

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
