import Foundation

/// One outcome: what happened, why, and to which user. It never contains a password, a code, a token or a typed name.
struct AuditEvent: Sendable {
  let kind: AuditKind
  let cause: AuditCause?
  /// The user, if one is known.
  var userID: String?
  /// The given name, if no user is known; only a keyed hash of it is stored, because people type passwords there.
  var name: NameKey?
  /// The client that asks for tokens.
  var clientID: String?
  /// Names a session without being its proof; see ``mark(ofSession:)``.
  var session: String?
  /// The grant to which all tokens of one authorization belong.
  var grantID: Int64?
  /// How many calls the session or the grant had answered when it ended, according to the database.
  var calls: Int?

  /// The session's name in the trail: a prefix of the hash by which the database finds it.
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
