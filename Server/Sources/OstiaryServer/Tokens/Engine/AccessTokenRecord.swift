import Foundation
internal import GRDB
internal import OstiaryCore

/// An access token and its times.
struct AccessTokenRecord: Sendable {
  let grant: TokenGrant
  let scopes: [String]
  let createdAt: Date
  /// Seconds without a use after which it ends; nil where uses don't matter.
  let idle: TimeInterval?
  /// When it ends at the latest.
  let endsAt: Date?
  /// The last use, exact in memory.
  var seenAt: Date
  /// The last use as the database has it.
  var storedSeenAt: Date

  /// How far the database's last use may lag behind.
  private var touchInterval: TimeInterval { min(60, (idle ?? 0) / 10) }

  var expiresAt: Date {
    let idleEnd = idle.map { seenAt.addingTimeInterval($0) }
    return [idleEnd, endsAt].compactMap { $0 }.min() ?? .distantFuture
  }

  /// When the row may be thrown away.
  var removableAt: Date {
    let idleEnd = idle.map { seenAt.addingTimeInterval($0 + touchInterval) }
    return [idleEnd, endsAt].compactMap { $0 }.min() ?? .distantFuture
  }

  func isAlive(at now: Date) -> Bool { now < expiresAt }

  func needsTouch(at now: Date) -> Bool {
    idle != nil && now.timeIntervalSince(storedSeenAt) >= touchInterval
  }

  var token: AccessToken { AccessToken(grant: grant, scopes: scopes, issuedAt: createdAt, expiresAt: expiresAt) }

  /// A token that is about to be issued.
  init(grant: TokenGrant, scopes: [String], lifetime: TokenLifetime, now: Date) {
    self.grant = grant
    self.scopes = scopes
    createdAt = now
    idle = lifetime.isSliding ? lifetime.idle.timeInterval : nil
    endsAt = lifetime.absolute.map { now.addingTimeInterval($0.timeInterval) }
    seenAt = now
    storedSeenAt = now
  }

  private init(_ reader: inout ColumnReader, _ grant: TokenGrant) {
    self.grant = grant
    let ownScopes: String? = reader.next()
    scopes = ownScopes.map(ScopeList.decode) ?? grant.scopes
    createdAt = Date(timeIntervalSince1970: reader.next())
    seenAt = Date(timeIntervalSince1970: reader.next())
    storedSeenAt = seenAt
    idle = reader.next()
    let ends: Double? = reader.next()
    endsAt = ends.map(Date.init(timeIntervalSince1970:))
  }

  /// The token, unless it has ended: its own last use, which the database may not know, counted as late as it can have
  /// been.
  static func find(_ hash: TokenHash, now: Date, in db: GRDB.Database) throws -> AccessTokenRecord? {
    let found = try ColumnReader.first(db.cachedStatement(sql: byHash), [hash.data]) { reader in
      var own = reader
      reader.skip(ownColumns)
      let row = try GrantRow(&reader)
      return (row.obstacle, AccessTokenRecord(&own, row.grant))
    }
    guard let (obstacle, record) = found else { return nil }
    return obstacle == nil && now < record.removableAt ? record : nil
  }

  /// How many columns are the token's own.
  private static let ownColumns = 5
  private static let byHash = """
    SELECT access_tokens.scopes, access_tokens.created_at, access_tokens.seen_at, access_tokens.idle,
      access_tokens.ends_at, \(GrantRow.columns)
    FROM access_tokens JOIN grants ON grants.id = access_tokens.grant_id \(GrantRow.joins)
    WHERE access_tokens.token_hash = ?
    """

  func insert(_ hash: TokenHash, number: Int64, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO access_tokens
          (token_hash, grant_id, number, scopes, created_at, seen_at, idle, ends_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      hash.data, grant.id, number, scopes == grant.scopes ? nil : ScopeList.encode(scopes),
      createdAt.timeIntervalSince1970, seenAt.timeIntervalSince1970, idle, endsAt?.timeIntervalSince1970,
      removableAt.timeIntervalSince1970,
    ])
  }

  /// Writes the last use down.
  func touch(_ hash: TokenHash, in db: GRDB.Database) throws {
    try db.cachedStatement(sql: "UPDATE access_tokens SET seen_at = ?, expires_at = ? WHERE token_hash = ?").execute(
      arguments: [seenAt.timeIntervalSince1970, removableAt.timeIntervalSince1970, hash.data])
  }
}
