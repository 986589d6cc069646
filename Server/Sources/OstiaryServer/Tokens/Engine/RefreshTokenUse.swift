import Foundation
internal import OstiaryCore

/// One use of a refresh token, within a transaction: all of it happens, or nothing.
///
/// A family has one live token, its leaf; the row has room for one hash only. A token that was the leaf is *replayable*
/// for a while: its use finds the salt, and the salt gives the successor again. Then it is *spent*: the handle still
/// finds the family, and nothing else of the token is stored.
struct RefreshTokenUse: Sendable {
  let text: RefreshTokenText
  let hash: TokenHash
  let scopes: [String]?
  let issuer: TokenIssuer
  private let handleHash: TokenHash
  /// Made before the transaction: other writers wait for its thread. Nil if the token stays.
  private let rotation: Rotation?

  /// The successor of a token.
  private struct Rotation {
    let salt: Data
    let successor: RefreshTokenText
    let hash: TokenHash
  }

  init(_ text: RefreshTokenText, scopes: [String]?, issuer: TokenIssuer) {
    self.text = text
    self.scopes = scopes
    self.issuer = issuer
    hash = text.hash
    handleHash = text.handleHash
    let salt = issuer.client.policy.rotatesRefreshTokens ? Data(RandomBytes.make(32)) : nil
    rotation = salt.map { salt in
      let successor = text.successor(salt: salt)
      return Rotation(salt: salt, successor: successor, hash: successor.hash)
    }
  }

  enum Outcome: Sendable {
    case issued(TokenIssue)
    case refused(TokenRefusal)
    /// Refused, and the family has ended.
    case ended(TokenRefusal, TokenGrant)
  }

  private var policy: TokenPolicy { issuer.client.policy }
  private var now: Date { issuer.now }

  func run(in db: StorageConnection) throws -> Outcome {
    guard let row = try GrantRow.findForUse(handleHash, in: db), row.grant.prefixes.refresh == text.prefix else {
      return .refused(.unknown)
    }
    guard row.grant.clientID == issuer.client.id else { return .refused(.otherClient) }
    let isLeaf = row.leafHash.map { ConstantTime.isEqual($0, hash.data) } ?? false
    let salt = isLeaf ? nil : try replaySalt(row.grant, in: db)
    guard isLeaf || salt != nil else { return try end(row.grant, .reused, in: db) }
    if let obstacle = row.obstacle {
      return obstacle == .userChanged ? try end(row.grant, obstacle, in: db) : .refused(obstacle)
    }
    guard !row.isRefreshExpired(at: now) else { return .refused(.expired) }
    let scopes = scopes.map(ScopeList.normalized) ?? row.grant.scopes
    guard Set(scopes).isSubset(of: row.grant.scopes) else { return .refused(.scopeTooWide) }
    if let salt { return .issued(try replay(row, salt: salt, scopes: scopes, in: db)) }
    return .issued(try use(row, scopes: scopes, in: db))
  }

  private func end(_ grant: TokenGrant, _ refusal: TokenRefusal, in db: StorageConnection) throws -> Outcome {
    if refusal == .reused {
      try issuer.trail.note(
        AuditEvent(.tokenReused, .reused, user: grant.user?.id, client: grant.clientID, grant: grant.id), in: db)
    }
    _ = try GrantRow.end(id: grant.id, AuditCause(refusal), issuer.trail, in: db)
    return .ended(refusal, grant)
  }

  /// The salt that gives the successor again, if the token may still have it.
  private func replaySalt(_ grant: TokenGrant, in db: StorageConnection) throws -> Data? {
    try db.value(TokenStatements.sql.replaySalt, grant.id, hash.data, now)
  }

  /// The earlier answer again. If its access token has ended in the meantime, or is for other scopes, there is a new
  /// one.
  private func replay(
    _ row: GrantRow, salt: Data, scopes: [String], in db: StorageConnection
  ) throws -> TokenIssue {
    let grant = row.grant
    try issuer.trail.note(
      AuditEvent(.refreshReplayed, user: grant.user?.id, client: grant.clientID, grant: grant.id), in: db)
    let successor = text.successor(salt: salt)
    let accessText = text.accessToken(salt: salt, prefix: row.grant.prefixes.access)
    let accessHash = TokenHash(accessText)
    if let record = try AccessTokenRecord.find(accessHash, now: now, in: db), record.isAlive(at: now),
      Set(record.scopes) == Set(scopes)
    {
      return NewAccessToken(text: accessText, hash: accessHash, record: record, endedSome: false)
        .issue(refreshToken: successor, isReplay: true)
    }
    try db.run(TokenStatements.sql.countIssue, row.grant.id)
    return try issuer.accessToken(for: row.grant, number: row.issued + 1, scopes: scopes, in: db)
      .issue(refreshToken: successor, isReplay: true)
  }

  /// The token is live.
  private func use(_ row: GrantRow, scopes: [String], in db: StorageConnection) throws -> TokenIssue {
    if let rotation { try spend(row.grant, salt: rotation.salt, in: db) }
    let ends = issuer.refreshEnd(createdAt: row.grant.createdAt)
    try db.run(
      TokenStatements.sql.rotate, (rotation?.hash ?? hash).data, rotation == nil ? 0 : 1, now, ends, ends,
      row.grant.id)
    let accessText = rotation.map { text.accessToken(salt: $0.salt, prefix: row.grant.prefixes.access) }
    return try issuer.accessToken(
      for: row.grant, number: row.issued + 1, scopes: scopes, text: accessText, in: db
    ).issue(refreshToken: rotation?.successor)
  }

  private func spend(_ grant: TokenGrant, salt: Data, in db: StorageConnection) throws {
    let replayUntil = now.addingTimeInterval(policy.replayWindow.timeInterval)
    if policy.replaysUntilSuccessorIsUsed {
      // This is the successor's use. A use of the token before it may still be under way.
      try db.run(TokenStatements.sql.endReplay, replayUntil, grant.id)
    }
    try db.run(
      TokenStatements.sql.spend, grant.id, hash.data, salt, policy.replaysUntilSuccessorIsUsed ? nil : replayUntil)
  }
}
