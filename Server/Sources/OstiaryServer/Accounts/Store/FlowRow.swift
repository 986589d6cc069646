import Foundation
internal import GRDB

/// A flow that something has been done in, as the database has it.
struct FlowRow: Sendable {
  /// The SHA-256 of the flow's number.
  let key: Data
  let kind: FlowKind
  var step: FlowStep
  /// What the typed address is compared by, whether or not somebody has it.
  var subject: Data?
  var userID: String?
  /// The user's when the code was sent: whatever ends their sessions ends the code.
  var generation: Int?
  /// The account that a right code makes.
  var pending: PendingAccount?
  /// Nothing where no code is right any more.
  var codeHash: Data?
  var codeExpiresAt: Date
  var attempts = 0
  var sends = 0
  var sentAt: Date
  let expiresAt: Date

  static func find(_ key: Data, in db: GRDB.Database) throws -> FlowRow? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT kind, step, subject, user_id, generation, pending, code_hash, code_expires_at, attempts, sends, sent_at,
            expires_at FROM flows WHERE id_hash = ?
          """), arguments: [key]
    ).map { try FlowRow(key, $0) }
  }

  private init(_ key: Data, _ row: Row) throws {
    guard let kind = FlowKind(rawValue: row["kind"]), let step = FlowStep(rawValue: row["step"]) else {
      throw ServerError(.storageCorrupt, "A stored flow is damaged.", advice: "Restore a backup.")
    }
    self.key = key
    self.kind = kind
    self.step = step
    subject = row["subject"]
    userID = row["user_id"]
    generation = row["generation"]
    let text: String? = row["pending"]
    pending = try text.map { try JSONDecoder().decode(PendingAccount.self, from: Data($0.utf8)) }
    codeHash = row["code_hash"]
    codeExpiresAt = Date(timeIntervalSince1970: row["code_expires_at"])
    attempts = row["attempts"]
    sends = row["sends"]
    sentAt = Date(timeIntervalSince1970: row["sent_at"])
    expiresAt = Date(timeIntervalSince1970: row["expires_at"])
  }

  init(key: Data, kind: FlowKind, step: FlowStep, now: Date, expiresAt: Date) {
    self.key = key
    self.kind = kind
    self.step = step
    codeExpiresAt = now
    sentAt = now
    self.expiresAt = expiresAt
  }

  /// Stores a flow for the first time. Returns whether it was the first.
  func insert(in db: GRDB.Database) throws -> Bool {
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO flows (kind, step, subject, user_id, generation, pending, code_hash, code_expires_at,
          attempts, sends, sent_at, expires_at, id_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: try arguments)
    return db.changesCount == 1
  }

  func update(in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE flows SET kind = ?, step = ?, subject = ?, user_id = ?, generation = ?, pending = ?, code_hash = ?,
          code_expires_at = ?, attempts = ?, sends = ?, sent_at = ?, expires_at = ? WHERE id_hash = ?
        """
    ).execute(arguments: try arguments)
  }

  private var arguments: StatementArguments {
    get throws {
      let pending = try pending.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
      return [
        kind.rawValue, step.rawValue, subject, userID, generation, pending, codeHash,
        codeExpiresAt.timeIntervalSince1970, attempts, sends, sentAt.timeIntervalSince1970,
        expiresAt.timeIntervalSince1970, key,
      ]
    }
  }
}
