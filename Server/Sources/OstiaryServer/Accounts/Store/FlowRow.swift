import Foundation

/// A flow in which a form was submitted, as the database has it.
struct FlowRow: Sendable {
  /// The SHA-256 of the flow's number.
  let key: Data
  let kind: FlowKind
  var step: FlowStep
  /// The key of the typed address, whether or not an account has it.
  var subject: Data?
  var userID: String?
  /// The user's generation when the code was sent: an event that ends their sessions also ends the code.
  var generation: Int?
  /// The account that a right code makes.
  var pending: PendingAccount?
  /// Nil if no code is right any more.
  var codeHash: Data?
  var codeExpiresAt: Date
  var attempts = 0
  var sends = 0
  var sentAt: Date
  /// The code's browser: a hash of the browser's number; nil for a program, whose flow is identified by its token alone.
  var browser: Data?
  /// The flow of the same browser whose code this flow uses; nil if it has its own.
  var codeFlow: Data?
  let expiresAt: Date
  /// A person's way through the experience of the account pages, sealed; nil for a flow of the server's own forms.
  var conversation: Data?

  static func find(_ key: Data, in db: StorageConnection) throws -> FlowRow? {
    try db.first(FlowStatements.sql.find, key) { try FlowRow(key, &$0) }
  }

  /// The flow, for a transaction that changes it depending on the values read.
  static func findForUse(_ key: Data, in db: StorageConnection) throws -> FlowRow? {
    try db.first(FlowStatements.sql.findForUse, key) { try FlowRow(key, &$0) }
  }

  /// Another flow of the same browser for the same address, with a code that is valid now.
  func otherWithCode(now: Date, in db: StorageConnection) throws -> FlowRow? {
    guard let browser else { return nil }
    let other: Data? = try db.value(FlowStatements.sql.withCode, browser, subject, kind.rawValue, now, key)
    // The row is read even if there is none: the time must not differ.
    return try FlowRow.findForUse(other ?? Data(), in: db)
  }

  private init(_ key: Data, _ reader: inout ColumnReader) throws {
    guard let kind = FlowKind(rawValue: reader.next()), let step = FlowStep(rawValue: reader.next()) else {
      throw ServerError(.storageCorrupt, "A stored flow is damaged.", advice: "Restore a backup.")
    }
    self.key = key
    self.kind = kind
    self.step = step
    subject = reader.next()
    userID = reader.next()
    generation = reader.next()
    let text: String? = reader.next()
    pending = try text.map { try JSONDecoder().decode(PendingAccount.self, from: Data($0.utf8)) }
    codeHash = reader.next()
    codeExpiresAt = reader.next()
    attempts = reader.next()
    sends = reader.next()
    sentAt = reader.next()
    browser = reader.next()
    codeFlow = reader.next()
    expiresAt = reader.next()
    conversation = reader.next()
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
  func insert(in db: StorageConnection) throws -> Bool {
    try db.changes(of: FlowStatements.sql.insert, values()) == 1
  }

  func update(in db: StorageConnection) throws {
    try db.run(of: FlowStatements.sql.update, values())
  }

  /// Of both statements, in their order.
  private func values() throws -> [any StorageBindable] {
    let pending = try pending.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    return [
      kind.rawValue, step.rawValue, subject, userID, generation, pending, codeHash, codeExpiresAt, attempts, sends,
      sentAt, browser, codeFlow, expiresAt, conversation, key,
    ]
  }
}

extension FlowRow {
  /// An event about the user of the flow.
  func event(_ kind: AuditKind, _ cause: AuditCause? = nil) -> AuditEvent {
    AuditEvent(
      kind, cause, user: userID, name: userID == nil ? subject.map { NameKey(stored: $0) } : nil)
  }
}

/// The hash of a password, with what it costs to check one.
struct PendingPassword: Codable, Sendable {
  let phc: String
  let work: Int

  init(_ hash: PasswordHash) {
    phc = hash.phc
    work = hash.parameters.work
  }
}

extension PendingPassword: CustomStringConvertible, CustomReflectable {
  var description: String { "‹hash›" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

/// An account that will be made when the user proves that the address is theirs. It has the password's hash, never the
/// password.
struct PendingAccount: Codable, Sendable {
  let email: String
  let displayName: String
  let password: String
  let work: Int
}
