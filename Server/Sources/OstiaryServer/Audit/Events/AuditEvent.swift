import Foundation

/// One outcome: what happened, why, and to whom. It never has a password, code, token or name that was typed.
struct AuditEvent: Sendable {
  let kind: AuditKind
  let cause: AuditCause?
  /// The user, where one is known.
  var userID: String?
  /// The name that was given, where no user is known; only a keyed hash of it is kept, since people type passwords there.
  var name: NameKey?
  /// The client that asks for tokens.
  var clientID: String?
  /// Names a session without being its proof; see ``mark(ofSession:)``.
  var session: String?
  /// The grant: what all tokens of one authorization have in common.
  var grantID: Int64?
  /// How many calls the session or the grant had answered when it ended, as the database knew.
  var calls: Int?

  /// What the trail calls a session: enough of the hash that the database finds it by.
  static func mark(ofSession hash: Data) -> String { hash.prefix(12).base64URL }

  init(
    _ kind: AuditKind, _ cause: AuditCause? = nil, user: String? = nil, name: NameKey? = nil, client: String? = nil,
    session: String? = nil, grant: Int64? = nil, calls: Int? = nil
  ) {
    self.kind = kind
    self.cause = cause
    userID = user
    self.name = name
    clientID = client
    self.session = session
    grantID = grant
    self.calls = calls
  }
}
