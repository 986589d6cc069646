import Crypto
import Foundation
import OstiaryCore

/// Mail that waits to be sent, in the database, in the transaction of what it is about: none is lost by a crash, and none
/// is sent for what did not happen. What it says is under a key that is not in the database.
struct Outbox: Sendable {
  /// A message, or a blank, which is sent to nobody and takes as much time and room.
  struct Entry: Codable, Sendable {
    let message: MailMessage
    let isBlank: Bool
    let writtenAt: Date
    /// So that both kinds are of one length.
    let padding: String
  }

  /// One that has been taken to be sent.
  struct Claimed: Sendable {
    let id: Data
    let entry: Entry?
    let attempts: Int
    let expiresAt: Date
  }

  /// Sealed entries are of this many bytes or a multiple of it.
  private static let block = 2048
  private let key: SymmetricKey

  init(_ key: ServerKey) { self.key = key.key(for: "mail.outbox") }

  /// Puts a message into the queue.
  /// - Parameter isBlank: Whether it is not to be sent.
  func add(_ message: MailMessage, isBlank: Bool, now: Date, expiresAt: Date, in db: StorageConnection) throws {
    let id = Data(RandomBytes.make(16))
    let bare = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: ""))
    let padding = String(repeating: " ", count: Self.block - bare.count % Self.block)
    let content = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: padding))
    guard let sealed = try AES.GCM.seal(content, using: key, authenticating: id).combined else {
      throw ServerError(.storageFailed, "A mail can't be sealed.", advice: "Report this.")
    }
    try db.run(MailStatements.sql.add, id, sealed, now, expiresAt)
  }

  /// Takes the next message that is due, for as long as the lease; another process takes it after that.
  func claim(now: Date, lease: Duration, in db: StorageConnection) throws -> Claimed? {
    let next = try db.first(MailStatements.sql.nextDue, now) { reader -> (Data, Data, Int, Date) in
      (reader.next(), reader.next(), reader.next(), reader.next())
    }
    guard let (id, sealed, attempts, expiresAt) = next else { return nil }
    try db.run(MailStatements.sql.lease, now.addingTimeInterval(lease.timeInterval), id)
    let content = try? AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: id)
    return Claimed(
      id: id, entry: content.flatMap { try? JSONDecoder().decode(Entry.self, from: $0) },
      attempts: attempts + 1, expiresAt: expiresAt)
  }

  func remove(_ id: Data, in db: StorageConnection) throws {
    try db.run(MailStatements.sql.remove, id)
  }

  func postpone(_ id: Data, until date: Date, in db: StorageConnection) throws {
    try db.run(MailStatements.sql.postpone, date, id)
  }

  /// When the next one is due.
  static func nextDue(in db: StorageConnection) throws -> Date? {
    try db.value(MailStatements.sql.firstDue)
  }
}

/// The tables of mail.
enum MailSchema {
  static let outbox = SchemaStep.tables(
    """
    CREATE TABLE outbox (
      id BLOB PRIMARY KEY,
      -- The whole message, under a key that is not in the database.
      sealed BLOB NOT NULL,
      attempts INTEGER NOT NULL,
      due_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_by_due ON outbox (due_at);

    -- What each address was sent, whether or not anything was.
    CREATE TABLE mail_counts (
      address_key BLOB PRIMARY KEY,
      count INTEGER NOT NULL,
      since REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mail_counts_by_age ON mail_counts (since);
    """)
}
