import Foundation
internal import OstiaryCore

/// An access token and its times.
struct AccessTokenRecord: Sendable {
  let grant: TokenGrant
  let scopes: [String]
  let createdAt: Date
  /// Seconds without a use after which it ends; nil if uses don't matter.
  let idle: TimeInterval?
  /// When it ends at the latest.
  let endsAt: Date?
  /// The last use, exact in memory.
  var seenAt: Date
  /// The last use as the database has it.
  var storedSeenAt: Date
  /// Uses since the count was last written to the database.
  var uncounted = 0

  private static let countInterval: TimeInterval = 60

  /// How far the database's last use may be behind.
  private var touchInterval: TimeInterval { min(60, (idle ?? 0) / 10) }

  var expiresAt: Date {
    let idleEnd = idle.map { seenAt.addingTimeInterval($0) }
    return [idleEnd, endsAt].compactMap { $0 }.min() ?? .distantFuture
  }

  /// The time after which the row may be removed.
  var removableAt: Date {
    let idleEnd = idle.map { seenAt.addingTimeInterval($0 + touchInterval) }
    return [idleEnd, endsAt].compactMap { $0 }.min() ?? .distantFuture
  }

  func isAlive(at now: Date) -> Bool { now < expiresAt }

  func needsTouch(at now: Date) -> Bool {
    // A token whose end does not depend on its uses is counted, too.
    now.timeIntervalSince(storedSeenAt) >= (idle == nil ? Self.countInterval : touchInterval)
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
    createdAt = reader.next()
    seenAt = reader.next()
    storedSeenAt = seenAt
    idle = reader.next()
    endsAt = reader.next()
  }

  /// The token, unless it has ended. Its own last use, which the database may not have yet, counts as the latest
  /// possible one.
  static func find(_ hash: TokenHash, now: Date, in db: StorageConnection) throws -> AccessTokenRecord? {
    let found = try db.first(TokenStatements.sql.accessToken, hash.data) { reader in
      var own = reader
      reader.skip(ownColumns)
      let row = try GrantRow(&reader)
      return (row.obstacle, AccessTokenRecord(&own, row.grant))
    }
    guard let (obstacle, record) = found else { return nil }
    return obstacle == nil && now < record.removableAt ? record : nil
  }

  /// The number of columns that belong to the token itself.
  private static let ownColumns = 5

  func insert(_ hash: TokenHash, number: Int64, in db: StorageConnection) throws {
    try db.run(
      TokenStatements.sql.insertAccessToken, hash.data, grant.id, number,
      scopes == grant.scopes ? nil : ScopeList.encode(scopes), createdAt, seenAt, idle, endsAt, removableAt)
  }

  /// Writes the last use to the database.
  func touch(_ hash: TokenHash, in db: StorageConnection) throws {
    // The grant before its token, as everywhere.
    if uncounted > 0 { try db.run(TokenStatements.sql.countCalls, uncounted, grant.id) }
    try db.run(TokenStatements.sql.touch, seenAt, removableAt, hash.data)
  }
}
