import Crypto
import Foundation
internal import GRDB
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
  func add(_ message: MailMessage, isBlank: Bool, now: Date, expiresAt: Date, in db: GRDB.Database) throws {
    let id = Data(RandomBytes.make(16))
    let bare = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: ""))
    let padding = String(repeating: " ", count: Self.block - bare.count % Self.block)
    let content = try JSONEncoder().encode(Entry(message: message, isBlank: isBlank, writtenAt: now, padding: padding))
    guard let sealed = try AES.GCM.seal(content, using: key, authenticating: id).combined else {
      throw ServerError(.storageFailed, "A mail can't be sealed.", advice: "Report this.")
    }
    try db.cachedStatement(
      sql: "INSERT INTO outbox (id, sealed, attempts, due_at, expires_at) VALUES (?, ?, 0, ?, ?)"
    ).execute(arguments: [id, sealed, now.timeIntervalSince1970, expiresAt.timeIntervalSince1970])
  }

  /// Takes the next message that is due, for as long as the lease; another process takes it after that.
  func claim(now: Date, lease: Duration, in db: GRDB.Database) throws -> Claimed? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT id, sealed, attempts, expires_at FROM outbox WHERE due_at <= ? ORDER BY due_at LIMIT 1"),
      arguments: [now.timeIntervalSince1970])
    guard let row else { return nil }
    let (id, sealed): (Data, Data) = (row["id"], row["sealed"])
    try db.cachedStatement(sql: "UPDATE outbox SET due_at = ?, attempts = attempts + 1 WHERE id = ?").execute(
      arguments: [now.addingTimeInterval(lease.timeInterval).timeIntervalSince1970, id])
    let content = try? AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: id)
    return Claimed(
      id: id, entry: content.flatMap { try? JSONDecoder().decode(Entry.self, from: $0) },
      attempts: (row["attempts"] as Int) + 1, expiresAt: Date(timeIntervalSince1970: row["expires_at"]))
  }

  func remove(_ id: Data, in db: GRDB.Database) throws {
    try db.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [id])
  }

  func postpone(_ id: Data, until date: Date, in db: GRDB.Database) throws {
    try db.cachedStatement(sql: "UPDATE outbox SET due_at = ? WHERE id = ?").execute(
      arguments: [date.timeIntervalSince1970, id])
  }

  /// When the next one is due.
  static func nextDue(in db: GRDB.Database) throws -> Date? {
    try Double.fetchOne(db.cachedStatement(sql: "SELECT min(due_at) FROM outbox")).map(
      Date.init(timeIntervalSince1970:))
  }
}
