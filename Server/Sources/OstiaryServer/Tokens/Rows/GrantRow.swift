import Foundation
internal import GRDB
internal import OstiaryCore

/// A grant as the database has it.
struct GrantRow: Sendable {
  let grant: TokenGrant
  let leafHash: Data?
  let refreshEndsAt: Date?
  /// The number of the access token that was issued last.
  let issued: Int64
  private let userGeneration: Int?
  private let clientIsDisabled: Bool

  static let columns = """
    grants.id AS grant_id, grants.client_id, grants.user_id AS grant_user_id, grants.user_generation,
    grants.scopes AS grant_scopes,
    grants.attributes AS grant_attributes, grants.access_prefix, grants.refresh_prefix, grants.leaf_hash, grants.issued,
    grants.created_at AS grant_created_at, grants.used_at, grants.refresh_ends_at, clients.disabled AS client_disabled,
    \(UserRow.columns)
    """
  static let joins = """
    JOIN clients ON clients.id = grants.client_id LEFT JOIN users ON users.id = grants.user_id
    """

  init(_ row: Row) throws {
    let userID: String? = row["grant_user_id"]
    leafHash = row["leaf_hash"]
    grant = TokenGrant(
      id: row["grant_id"], clientID: row["client_id"], user: try userID.map { _ in try UserRow(row).user },
      scopes: ScopeList.decode(row["grant_scopes"]), attributes: try AttributesColumn.decode(row["grant_attributes"]),
      hasRefreshToken: leafHash != nil,
      prefixes: TokenPrefixes(access: row["access_prefix"], refresh: row["refresh_prefix"]),
      createdAt: Date(timeIntervalSince1970: row["grant_created_at"]),
      usedAt: Date(timeIntervalSince1970: row["used_at"]))
    let ends: Double? = row["refresh_ends_at"]
    refreshEndsAt = ends.map(Date.init(timeIntervalSince1970:))
    issued = row["issued"]
    userGeneration = row["user_generation"]
    clientIsDisabled = row["client_disabled"]
  }

  static func find(_ handle: TokenHash, in db: GRDB.Database) throws -> GrantRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM grants \(joins) WHERE grants.handle_hash = ?"),
      arguments: [handle.data]
    ).map(GrantRow.init)
  }

  static func find(id: Int64, in db: GRDB.Database) throws -> GrantRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM grants \(joins) WHERE grants.id = ?"), arguments: [id]
    ).map(GrantRow.init)
  }

  /// Why the grant's tokens are good for nothing just now, or for ever.
  var obstacle: TokenRefusal? {
    if clientIsDisabled { return .clientDisabled }
    guard let user = grant.user else { return nil }
    if user.isDisabled { return .userDisabled }
    return userGeneration.map { $0 != user.generation } == true ? .userChanged : nil
  }

  func isRefreshExpired(at now: Date) -> Bool { refreshEndsAt.map { now >= $0 } ?? false }

  /// Ends a grant with all its tokens.
  static func end(id: Int64, in db: GRDB.Database) throws -> Bool {
    try db.cachedStatement(sql: "DELETE FROM grants WHERE id = ?").execute(arguments: [id])
    guard db.changesCount > 0 else { return false }
    try TokenFreshness.advance(in: db)
    return true
  }
}
