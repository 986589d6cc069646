import Crypto
import Foundation
import OstiaryCore

/// Mail that waits to be sent. It is stored in the database, in the transaction of the event that it reports: a crash
/// loses no mail, and no mail reports an event that was rolled back. Its content is encrypted with a key that is not in
/// the database.
struct Outbox: Sendable {
  /// A message, or a blank: a blank is not sent, and takes the same time and room.
  struct Entry: Codable, Sendable {
    let message: MailMessage
    let isBlank: Bool
    let writtenAt: Date
    /// Gives both kinds the same length.
    let padding: String
  }

  /// A message that a process has taken to send.
  struct Claimed: Sendable {
    let id: Data
    let entry: Entry?
    let attempts: Int
    let expiresAt: Date
  }

  /// The length of a sealed entry is a multiple of this number of bytes: more than any mail of the flows has, in any language.
  private static let block = 4096
  private let ring: KeyRing
  private var keys: PurposeKeys { ring.keys(for: "mail.outbox") }

  init(_ ring: KeyRing) { self.ring = ring }

  /// Puts a message into the queue.
  /// - Parameter isBlank: Whether it is not to be sent.
  func add(_ message: MailMessage, isBlank: Bool, now: Date, expiresAt: Date, in db: StorageConnection) throws {
    let id = Data(RandomBytes.make(16))
    let bare = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: ""))
    let padding = String(repeating: " ", count: Self.block - bare.count % Self.block)
    let content = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: padding))
    let keys = keys
    try KeyRecords.demandUse(of: keys.current.number, in: db)
    try db.run(MailStatements.sql.add, id, try Self.seal(content, id, keys.current.key), now, expiresAt)
  }

  private static func seal(_ content: Data, _ id: Data, _ key: SymmetricKey) throws -> Data {
    guard let sealed = try AES.GCM.seal(content, using: key, authenticating: id).combined else {
      throw ServerError(.storageFailed, "A mail can't be sealed.", advice: "Report this.")
    }
    return sealed
  }

  /// The content of a row, and whether it was sealed with the current key; nil if it was sealed with none that counts.
  private func open(_ sealed: Data, _ id: Data) -> (content: Data, isCurrent: Bool)? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
    let keys = keys
    for key in keys.all {
      guard let content = try? AES.GCM.open(box, using: key.key, authenticating: id) else { continue }
      return (content, key.number == keys.current.number)
    }
    return nil
  }

  /// Takes the next message that is due, for the time of the lease; afterwards another process may take it.
  func claim(now: Date, lease: Duration, in db: StorageConnection) throws -> Claimed? {
    let next = try db.first(MailStatements.sql.nextDue, now) { reader -> (Data, Data, Int, Date) in
      (reader.next(), reader.next(), reader.next(), reader.next())
    }
    guard let (id, sealed, attempts, expiresAt) = next else { return nil }
    try db.run(MailStatements.sql.lease, now.addingTimeInterval(lease.timeInterval), id)
    let content = open(sealed, id)?.content
    // A server that has not heard of the newest key yet must not give the mail up.
    if content == nil { try KeyRecords.demandKnowledge(of: ring.content.newest, in: db) }
    return Claimed(
      id: id, entry: content.flatMap { try? JSONDecoder().decode(Entry.self, from: $0) },
      attempts: attempts + 1, expiresAt: expiresAt)
  }

  /// Seals messages again that were sealed with another key than the current one.
  /// - Parameters:
  ///   - place: the id after which to begin; empty for all.
  ///   - most: how many to look at.
  /// - Returns: the id of the last one; nil if there was none.
  func reseal(after place: Data, most: Int, in db: StorageConnection) throws -> Data? {
    let rows = try db.all(MailStatements.sql.after, place, most) { reader -> (Data, Data) in
      (reader.next(), reader.next())
    }
    for (id, sealed) in rows {
      guard let (content, isCurrent) = open(sealed, id), !isCurrent else { continue }
      try db.run(MailStatements.sql.reseal, try Self.seal(content, id, keys.current.key), id)
    }
    return rows.last?.0
  }

  func remove(_ id: Data, in db: StorageConnection) throws {
    try db.run(MailStatements.sql.remove, id)
  }

  func postpone(_ id: Data, until date: Date, in db: StorageConnection) throws {
    try db.run(MailStatements.sql.postpone, date, id)
  }

  /// The time at which the next message is due.
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

    -- The mails to each address, counted whether or not they were sent.
    CREATE TABLE mail_counts (
      address_key BLOB PRIMARY KEY,
      count INTEGER NOT NULL,
      since REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mail_counts_by_age ON mail_counts (since);
    """)
}
