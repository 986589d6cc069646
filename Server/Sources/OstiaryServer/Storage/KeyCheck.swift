import Foundation

/// The database's knowledge of the server's key: a value that only the right key gives (HKDF, RFC 5869, for a purpose of its own). It
/// tells nothing about the key.
///
/// A server or command with another key could neither open what is sealed nor find what is stored under a keyed hash; it would take
/// wrong codes for right questions and write what the others can't read. So it does not start. A database without a value gets the
/// one of the key that it is opened with first.
enum KeyCheck {
  static let migration = StorageMigration(
    "17: key check value",
    .tables(
      """
      CREATE TABLE key_check (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        check_value BLOB NOT NULL
      ) STRICT;
      """))

  private static let sql = KeyCheckStatements.sql

  /// Whether it is the database's key; nil if the database has no value yet.
  static func knows(_ key: ServerKey, in db: StorageConnection) throws -> Bool? {
    try stored(in: db).map { isValue($0, of: key) }
  }

  /// The value that the database has; nil if it has none.
  static func stored(in db: StorageConnection) throws -> Data? { try db.value(sql.value) }

  /// Whether a value is that of a key.
  static func isValue(_ value: Data, of key: ServerKey) -> Bool { ConstantTime.isEqual(value, key.checkValue) }

  /// Stores the value of a database that has none.
  static func record(_ key: ServerKey, in db: StorageConnection) throws {
    try db.run(sql.insert, key.checkValue)
  }

  /// Stores the value in place of another.
  static func replace(with key: ServerKey, in db: StorageConnection) throws {
    try db.run(sql.replace, key.checkValue)
  }

  /// - Throws: `serverKeyIsAnother` if the database was used with another key.
  static func demand(_ key: ServerKey, in db: StorageConnection) throws {
    guard try knows(key, in: db) == true else { throw refusal(of: key) }
  }

  static func refusal(of key: ServerKey) -> ServerError {
    ServerError(
      .serverKeyIsAnother, "The key of \(key.place) is not the one that this database was first used with.",
      advice: """
        Start it with that key (--key-file FILE, OSTIARY_KEY, systemd's credential, or the file ostiary.key in the data folder). If \
        the key is lost, `ostiary key accept` makes the database take this one, and says what is lost with the other.
        """)
  }
}

/// The statements about the key's check value.
struct KeyCheckStatements: StatementSet {
  static let sql = KeyCheckStatements()

  let value = StorageStatement("SELECT check_value FROM key_check WHERE id = 1")
  // Of two processes that open a database first, one is second.
  let insert = StorageStatement("INSERT INTO key_check (id, check_value) VALUES (1, $1) ON CONFLICT DO NOTHING")
  let replace = StorageStatement(
    "INSERT INTO key_check (id, check_value) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET check_value = $1")
}

/// Compares the key with the one that the database was first used with, or that has followed it. The first key is recorded.
struct KeyOpening: StorageOpening {
  private let ring: KeyRing
  private var key: ServerKey { ring.origin }
  /// Whether the database takes the key in place of another.
  private let isReplacing: Bool
  /// Tables of before have no place for it.
  private let hasPlace: Bool
  private let hasPlaceForMore: Bool

  /// - Parameter ring: gets the database's keys.
  init(_ ring: KeyRing, _ keys: ServerKeySources, _ migrations: [StorageMigration]) {
    self.ring = ring
    isReplacing = keys.replacesKeyOfDatabase
    hasPlace = migrations.contains { $0.name == KeyCheck.migration.name }
    hasPlaceForMore = migrations.contains { $0.name == KeySchema.migration.name }
  }

  func isSettled(in db: StorageConnection) throws -> Bool {
    guard hasPlace else { return true }
    guard !isReplacing else { return false }
    return try follows(in: db) || KeyCheck.knows(key, in: db) == true
  }

  /// Takes the database's keys, of which this one is enough while the key is being changed.
  /// - Returns: false if the key was never changed.
  private func follows(in db: StorageConnection) throws -> Bool {
    guard hasPlaceForMore else { return false }
    let stored = try KeyRecords(in: db)
    guard !stored.rows.isEmpty else { return false }
    ring.set(try stored.content(knowing: [key]))
    return true
  }

  func settle(in db: StorageConnection) throws {
    guard hasPlace else { return }
    // Another process may have begun a change since that was looked at.
    if try !isReplacing && follows(in: db) { return }
    if isReplacing {
      if hasPlaceForMore, let content = try KeyRecords(in: db).replaced(with: key, in: db) { ring.set(content) }
      try KeyCheck.replace(with: key, in: db)
    } else if try KeyCheck.knows(key, in: db) == nil {
      try KeyCheck.record(key, in: db)
    }
    try KeyCheck.demand(key, in: db)
  }
}
