import Foundation
internal import OstiaryCore

/// One use of a refresh token, within a transaction: all of it happens, or nothing.
///
/// A family has one live token, its leaf; the row has room for one hash only. A token that was the leaf is *replayable*
/// for a while: its use finds the salt, and the salt gives the successor again. Then it is *spent*: the handle still
/// finds the family, and nothing else of the token is stored.
///
/// A database that has lost its last commits, in a failover or because a back-up was restored, may not know the token that a client was
/// given for the leaf. It recognises that one token, and goes on from it.
struct RefreshTokenUse: Sendable {
  let text: RefreshTokenText
  let hash: TokenHash
  let scopes: [String]?
  let issuer: TokenIssuer
  private let handleHash: TokenHash
  /// Made before the transaction: other writers wait for its thread. Nil if the token stays.
  private let salts: (own: SuccessorSalt, next: SuccessorSalt)?
  private let pauses: ReplayPauses

  /// The successor of a token, and what is stored about the one after it.
  private struct Rotation {
    let salt: Data
    let successor: RefreshTokenText
    let hash: TokenHash
    let next: (seed: Data, mark: Data)
  }

  /// What a token that is presented is to its family.
  private enum Standing {
    case live
    /// The live token's successor, which the database does not know of: its leaf was used in a commit that it has lost.
    case ahead
    case replayable(salt: Data)
  }

  init(_ text: RefreshTokenText, scopes: [String]?, issuer: TokenIssuer, pauses: ReplayPauses) {
    self.text = text
    self.scopes = scopes
    self.issuer = issuer
    self.pauses = pauses
    hash = text.hash
    handleHash = text.handleHash
    salts =
      issuer.client.policy.rotatesRefreshTokens
      ? (SuccessorSalt(issuer.successors), SuccessorSalt(issuer.successors)) : nil
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
    guard let standing = try standing(in: row, db) else { return try end(row.grant, .reused, in: db) }
    if let obstacle = row.obstacle {
      return obstacle == .userChanged ? try end(row.grant, obstacle, in: db) : .refused(obstacle)
    }
    guard !row.isRefreshExpired(at: now) else { return .refused(.expired) }
    let scopes = scopes.map(ScopeList.normalized) ?? row.grant.scopes
    guard Set(scopes).isSubset(of: row.grant.scopes) else { return .refused(.scopeTooWide) }
    switch standing {
    case .live: return .issued(try use(row, scopes: scopes, in: db))
    case .ahead:
      try skipLeaf(of: row, in: db)
      return .issued(try use(row, isAhead: true, scopes: scopes, in: db))
    case .replayable(let salt):
      let successor = text.successor(salt: salt)
      guard try isKnown(successor.hash, in: row, db) else { return .refused(.unknown) }
      return .issued(try replay(row, salt: salt, successor, scopes: scopes, in: db))
    }
  }

  private func end(_ grant: TokenGrant, _ refusal: TokenRefusal, in db: StorageConnection) throws -> Outcome {
    if refusal == .reused {
      try issuer.trail.note(
        AuditEvent(.tokenReused, .reused, user: grant.user?.id, client: grant.clientID, grant: grant.id), in: db)
    }
    _ = try GrantRow.end(id: grant.id, AuditCause(refusal), issuer.trail, in: db)
    return .ended(refusal, grant)
  }

  /// Nil for a spent token.
  private func standing(in row: GrantRow, _ db: StorageConnection) throws -> Standing? {
    guard let leaf = row.leafHash else { return nil }
    if ConstantTime.isEqual(leaf, hash.data) { return .live }
    if let successor = row.successor, successor.isOfEarlierTimeline, successor.names(hash, after: leaf) {
      return .ahead
    }
    let spent = try db.first(TokenStatements.sql.spentToken, row.grant.id, hash.data) { reader -> (Data, Date?) in
      (reader.next(), reader.next())
    }
    guard let (salt, end) = spent else { return nil }
    let isInTime = end.map { pauses.isBefore($0, window: policy.replayWindow, at: now) } ?? true
    return isInTime ? .replayable(salt: salt) : nil
  }

  /// Whether a token is the live one of its family, or was. The salt of a skipped token may have come of another key than the one by
  /// which the client got its successor; it gives a token that no client has, and whose use would count as theft.
  private func isKnown(_ token: TokenHash, in row: GrantRow, _ db: StorageConnection) throws -> Bool {
    if let leaf = row.leafHash, ConstantTime.isEqual(leaf, token.data) { return true }
    return try db.exists(TokenStatements.sql.spentToken, row.grant.id, token.data)
  }

  /// The earlier answer again. If its access token has ended in the meantime, or is for other scopes, there is a new
  /// one.
  private func replay(
    _ row: GrantRow, salt: Data, _ successor: RefreshTokenText, scopes: [String], in db: StorageConnection
  ) throws -> TokenIssue {
    let grant = row.grant
    try issuer.trail.note(
      AuditEvent(.refreshReplayed, user: grant.user?.id, client: grant.clientID, grant: grant.id), in: db)
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

  /// The token is live, or is taken for it.
  /// - Parameter isAhead: whether it is the leaf's successor.
  private func use(
    _ row: GrantRow, isAhead: Bool = false, scopes: [String], in db: StorageConnection
  ) throws -> TokenIssue {
    let rotation = rotation(of: row, isAhead: isAhead)
    if let rotation { try spend(row.grant, salt: rotation.salt, in: db) }
    let ends = issuer.refreshEnd(createdAt: row.grant.createdAt)
    let rotations = (rotation == nil ? 0 : 1) + (isAhead ? 1 : 0)
    try db.run(
      TokenStatements.sql.rotate, (rotation?.hash ?? hash).data, rotation?.next.seed, rotation?.next.mark,
      row.successor?.current, rotations, now, ends, ends, row.grant.id)
    let accessText = rotation.map { text.accessToken(salt: $0.salt, prefix: row.grant.prefixes.access) }
    return try issuer.accessToken(
      for: row.grant, number: row.issued + 1, scopes: scopes, text: accessText, in: db
    ).issue(refreshToken: rotation?.successor)
  }

  /// The token's successor: the one that was settled when it was issued, or another where none was, or where the server has another
  /// key since.
  private func rotation(of row: GrantRow, isAhead: Bool) -> Rotation? {
    guard let salts else { return nil }
    if !isAhead, let stored = row.successor, let seed = stored.seed {
      let salt = issuer.successors.salt(of: seed)
      let successor = text.successor(salt: salt)
      let successorHash = successor.hash
      if stored.names(successorHash, after: hash.data) {
        return rotation(salt, successor, successorHash, next: salts.next)
      }
    }
    let successor = text.successor(salt: salts.own.salt)
    return rotation(salts.own.salt, successor, successor.hash, next: salts.next)
  }

  private func rotation(
    _ salt: Data, _ successor: RefreshTokenText, _ hash: TokenHash, next: SuccessorSalt
  ) -> Rotation {
    let mark = SuccessorRow.mark(of: successor.successor(salt: next.salt).hash, after: hash.data)
    return Rotation(salt: salt, successor: successor, hash: hash, next: (next.seed, mark))
  }

  private var replayUntil: Date { now.addingTimeInterval(policy.replayWindow.timeInterval) }

  private func spend(_ grant: TokenGrant, salt: Data, in db: StorageConnection) throws {
    if policy.replaysUntilSuccessorIsUsed {
      // This is the successor's use. A use of the token before it may still be under way.
      try db.run(TokenStatements.sql.endReplay, replayUntil, grant.id)
    }
    try db.run(
      TokenStatements.sql.spend, grant.id, hash.data, salt, policy.replaysUntilSuccessorIsUsed ? nil : replayUntil)
  }

  /// The database has lost the use of its leaf. Another process of the client may still present it: as after every rotation it is
  /// replayable, and then spent.
  private func skipLeaf(of row: GrantRow, in db: StorageConnection) throws {
    let grant = row.grant
    try issuer.trail.note(
      AuditEvent(.refreshRecovered, user: grant.user?.id, client: grant.clientID, grant: grant.id), in: db)
    guard let leaf = row.leafHash, let seed = row.successor?.seed else { return }
    try db.run(TokenStatements.sql.spend, grant.id, leaf, issuer.successors.salt(of: seed), replayUntil)
  }
}
