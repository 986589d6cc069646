import Foundation
internal import OstiaryCore

/// A grant as the database has it.
struct GrantRow: Sendable {
  let grant: TokenGrant
  let leafHash: Data?
  let refreshEndsAt: Date?
  /// The number of the access token that was issued last.
  let issued: Int64
  /// What is stored about the token that will follow the live one; nil unless the row was read for a use.
  private(set) var successor: SuccessorRow?
  private let userGeneration: Int?
  private let clientIsDisabled: Bool

  /// In the order in which they are read; the columns of a user follow.
  static let columns: StaticString = """
    grants.id, grants.client_id, grants.user_id, grants.user_generation, grants.scopes, grants.attributes,
    grants.access_prefix, grants.refresh_prefix, grants.leaf_hash, grants.issued, grants.created_at, grants.used_at,
    grants.refresh_ends_at, clients.disabled,
    """
  static let joins: StaticString = """
    JOIN clients ON clients.id = grants.client_id LEFT JOIN users ON users.id = grants.user_id
    """

  init(_ reader: inout ColumnReader) throws {
    let (id, clientID, userID): (Int64, String, String?) = (reader.next(), reader.next(), reader.next())
    userGeneration = reader.next()
    let (scopes, attributes): (String, String) = (reader.next(), reader.next())
    let prefixes = TokenPrefixes(access: reader.next(), refresh: reader.next())
    leafHash = reader.next()
    issued = reader.next()
    let (createdAt, usedAt): (Date, Date) = (reader.next(), reader.next())
    refreshEndsAt = reader.next()
    clientIsDisabled = reader.next()
    grant = TokenGrant(
      id: id, clientID: clientID, user: try userID.map { _ in try UserRow(&reader).user },
      scopes: ScopeList.decode(scopes), attributes: try AttributesColumn.decode(attributes),
      hasRefreshToken: leafHash != nil, prefixes: prefixes, createdAt: createdAt, usedAt: usedAt)
  }

  static func find(_ handle: TokenHash, in db: StorageConnection) throws -> GrantRow? {
    try db.first(TokenStatements.sql.grantByHandle, handle.data) { try GrantRow(&$0) }
  }

  /// The grant, for a transaction that changes it depending on the values read.
  static func findForUse(_ handle: TokenHash, in db: StorageConnection) throws -> GrantRow? {
    try db.first(TokenStatements.sql.grantByHandleForUse, handle.data) { reader in
      let successor = SuccessorRow(&reader)
      var row = try GrantRow(&reader)
      row.successor = successor
      return row
    }
  }

  static func find(id: Int64, in db: StorageConnection) throws -> GrantRow? {
    try db.first(TokenStatements.sql.grantByID, id) { try GrantRow(&$0) }
  }

  /// Why the grant's tokens can't be used, for now or for ever.
  var obstacle: TokenRefusal? {
    if clientIsDisabled { return .clientDisabled }
    guard let user = grant.user else { return nil }
    if user.isDisabled { return .userDisabled }
    return userGeneration.map { $0 != user.generation } == true ? .userChanged : nil
  }

  func isRefreshExpired(at now: Date) -> Bool { refreshEndsAt.map { now >= $0 } ?? false }

  /// Ends a grant with all its tokens.
  static func end(
    id: Int64, _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Bool {
    let ended = try db.all(TokenStatements.sql.endGrant, id, ends: { _ in [.family(id)] }) { EndedGrant(&$0) }
    try EndedGrant.note(ended, cause, trail, in: db)
    guard !ended.isEmpty else { return false }
    try TokenFreshness.advance(in: db)
    return true
  }
}
