import Foundation
internal import OstiaryCore

/// Issues tokens within a transaction.
struct TokenIssuer: Sendable {
  let client: Client
  let now: Date
  /// Records the issued tokens.
  let trail: AuditTrail
  let successors: SuccessorKey
  private var policy: TokenPolicy { client.policy }

  init(_ client: Client, now: Date, _ trail: AuditTrail, _ successors: SuccessorKey) {
    self.client = client
    self.now = now
    self.trail = trail
    self.successors = successors
  }

  /// Whether a client and a user get tokens at this moment.
  enum Admission: Sendable {
    /// They do. The user is the one of now.
    case admitted(User?)
    case refused(TokenRefusal)

    var obstacle: TokenRefusal? {
      if case .refused(let refusal) = self { refusal } else { nil }
    }
  }

  /// Decides whether the user and the client get tokens. Until the transaction ends the user stays as they are, and the client stays; it
  /// may be disabled meanwhile, which each use of a token looks at. What belongs to them is locked afterwards.
  /// - Parameter user: as the caller has read them; they may have changed since.
  func admit(_ user: (id: String, generation: Int)?, in db: StorageConnection) throws -> Admission {
    let isDisabled: Bool? = try db.value(TokenStatements.sql.clientIsDisabled, client.id)
    guard isDisabled == false else { return .refused(.clientDisabled) }
    guard let user else { return .admitted(nil) }
    guard let latest = try UserRow.findForUse(id: user.id, in: db)?.user else { return .refused(.userChanged) }
    if latest.isDisabled { return .refused(.userDisabled) }
    return latest.generation == user.generation ? .admitted(latest) : .refused(.userChanged)
  }

  /// Why the user or the client gets no tokens at this moment; see ``admit(_:in:)``.
  func obstacle(_ user: (id: String, generation: Int)?, in db: StorageConnection) throws -> TokenRefusal? {
    try admit(user, in: db).obstacle
  }

  /// A new grant with its first tokens.
  func issue(_ pending: PendingGrant, user: User?, in db: StorageConnection) throws -> TokenIssue {
    let refreshToken = pending.includesRefreshToken ? RefreshTokenText.makeFirst(prefix: pending.refreshPrefix) : nil
    let next = policy.rotatesRefreshTokens ? refreshToken.map { ($0, SuccessorSalt(successors)) } : nil
    let mark = next.map { token, salt in
      SuccessorRow.mark(of: token.successor(salt: salt.salt).hash, after: token.hash.data)
    }
    let ends = refreshToken == nil ? nil : refreshEnd(createdAt: now)
    let id = try db.newID(
      TokenStatements.sql.insertGrant, client.id, user?.id, policy.endsWithPassword ? user?.generation : nil,
      ScopeList.encode(pending.scopes), try GrantAttributes.column(pending.attributes), pending.accessPrefix,
      pending.refreshPrefix, refreshToken?.handleHash.data, refreshToken?.hash.data,
      next?.1.seed, mark, now, now, ends, ends)
    let grant = TokenGrant(
      id: id, clientID: client.id, user: user, scopes: pending.scopes,
      attributes: pending.attributes, hasRefreshToken: refreshToken != nil, prefixes: pending.prefixes, createdAt: now,
      usedAt: now)
    try trail.note(AuditEvent(.grantBegun, user: user?.id, client: client.id, grant: id), in: db)
    let endedSome = try endOldestGrants(userID: user?.id, withRefreshToken: refreshToken != nil, in: db)
    let access = try accessToken(for: grant, number: 1, scopes: grant.scopes, in: db)
    return access.issue(refreshToken: refreshToken, endedSome: endedSome)
  }

  /// A new access token of a grant.
  /// - Parameter text: nil for random text.
  func accessToken(
    for grant: TokenGrant, number: Int64, scopes: [String], text: String? = nil, in db: StorageConnection
  ) throws -> NewAccessToken {
    let text = text ?? TokenHash.newText(prefix: grant.prefixes.access)
    let hash = TokenHash(text)
    let record = AccessTokenRecord(grant: grant, scopes: scopes, lifetime: policy.accessLifetime, now: now)
    try record.insert(hash, number: number, in: db)
    let endedSome = try endOldestAccessTokens(of: grant.id, newest: number, in: db)
    return NewAccessToken(text: text, hash: hash, record: record, endedSome: endedSome)
  }

  /// Ends the oldest quarter of a grant's access tokens if there are too many; of a few, the oldest. After every such
  /// end all servers empty their caches of tokens: that must not happen with each refresh.
  private func endOldestAccessTokens(of grantID: Int64, newest: Int64, in db: StorageConnection) throws -> Bool {
    let most = Int64(max(policy.mostAccessTokensPerGrant, 1))
    guard newest > most else { return false }
    let step = max(most / 4, 1)
    guard (newest - most - 1) % step == 0 else { return false }
    let ended = try db.run(
      TokenStatements.sql.endOldestAccessTokens, grantID, newest - most + step - 1, ends: .tokens(ofGrant: grantID))
    guard ended > 0 else { return false }
    try TokenFreshness.advance(in: db)
    return true
  }

  /// The end of a refresh token that is used now.
  func refreshEnd(createdAt: Date) -> Date? {
    [
      policy.refreshIdle.map { now.addingTimeInterval($0.timeInterval) },
      policy.refreshAbsolute.map { createdAt.addingTimeInterval($0.timeInterval) },
    ].compactMap { $0 }.min()
  }

  private func endOldestGrants(userID: String?, withRefreshToken: Bool, in db: StorageConnection) throws -> Bool {
    let most = withRefreshToken ? policy.mostApprovalsPerUser : policy.mostAccessOnlyGrantsPerUser
    let ended = try db.all(
      TokenStatements.sql.endOldestGrants, userID, client.id, withRefreshToken, max(most, 1),
      ends: { $0.map { .family($0.id) } }
    ) { EndedGrant(&$0) }
    try EndedGrant.note(ended, .tooManySessions, trail, in: db)
    guard !ended.isEmpty else { return false }
    try TokenFreshness.advance(in: db)
    return true
  }
}

/// An access token that a transaction has just made, or found again.
struct NewAccessToken: Sendable {
  let text: String
  let hash: TokenHash
  let record: AccessTokenRecord
  /// Whether other tokens had to end.
  let endedSome: Bool

  func issue(refreshToken: RefreshTokenText?, isReplay: Bool = false, endedSome: Bool = false) -> TokenIssue {
    TokenIssue(
      tokens: IssuedTokens(
        accessToken: Secret(text), refreshToken: refreshToken.map { Secret($0.text) }, scopes: record.scopes,
        grant: record.grant, issuedAt: record.createdAt, expiresAt: record.expiresAt, isReplay: isReplay),
      record: record, hash: hash, endedSome: endedSome || self.endedSome)
  }
}

/// Tokens that a transaction has issued, and the cache entries to store once it is durable.
struct TokenIssue: Sendable {
  let tokens: IssuedTokens
  let record: AccessTokenRecord
  let hash: TokenHash
  /// Whether other tokens had to end.
  let endedSome: Bool
}
