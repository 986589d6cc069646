import Foundation
package import OstiaryCore

/// When one of these returns, what it has ended is let in nowhere, and nothing that was under way brings it back.
extension ServerTokens {
  /// Revokes a token: an access token alone, a refresh token with its family and all access tokens of it (RFC 7009).
  ///
  /// A refresh token that has been replaced still stands for its family: a client that has lost the successor can sign
  /// out with it.
  /// - Parameter client: who asks; nil for a door where holding the token is enough.
  /// - Returns: what it was; nil for a token that is unknown, or is another client's: then nothing has happened.
  ///   RFC 7009 §2.2 wants that answered like success.
  /// - Throws: a storage code.
  @discardableResult
  package func revoke(_ token: Secret, client: Client? = nil) async throws(ServerError) -> PresentedTokenKind? {
    guard let hash = TokenHash(presented: token) else { return nil }
    let text = RefreshTokenText(token)
    return try await end { db, trail in
      if let text, let row = try GrantRow.findForUse(text.handleHash, in: db), row.grant.prefixes.refresh == text.prefix
      {
        guard client == nil || client?.id == row.grant.clientID else { return nil }
        return try GrantRow.end(id: row.grant.id, .requestedByApp, trail, in: db) ? .refresh : nil
      }
      let owner = try db.first(TokenStatements.sql.ownerOfAccessToken, hash.data) { reader -> (Int64, String) in
        (reader.next(), reader.next())
      }
      guard let (grantID, clientID) = owner else { return nil }
      guard client == nil || client?.id == clientID else { return nil }
      try db.run(TokenStatements.sql.endAccessToken, hash.data)
      try trail.note(
        AuditEvent(.accessTokenEnded, .requestedByApp, client: clientID, grant: grantID), in: db)
      try TokenHousekeeping.removeGrantWithoutTokens(grantID, .requestedByApp, trail, in: db)
      try TokenFreshness.advance(in: db)
      return .access
    }
  }

  /// Ends a grant with all its tokens.
  /// - Returns: whether there was one.
  @discardableResult
  package func revoke(grantID: Int64) async throws(ServerError) -> Bool {
    try await end { db, trail in try GrantRow.end(id: grantID, .requestedByApp, trail, in: db) }
  }

  /// Ends all grants of a user, or those to one client, and what they have approved that nobody has taken up yet.
  /// - Returns: how many grants there were.
  @discardableResult
  package func revokeAll(userID: String, clientID: String? = nil) async throws(ServerError) -> Int {
    guard let clientID else {
      return try await end { db, trail in try Self.endAll(ofUserID: userID, .requestedByApp, trail, in: db) }
    }
    return try await endAll(.requestedByApp) { db in
      try db.run(CodeStatements.sql.removeOfUserForClient, userID, clientID)
      try db.run(DeviceStatements.sql.removeOfUserForClient, userID, clientID)
      return try db.all(TokenStatements.sql.endGrantsOfUserToClient, userID, clientID) { EndedGrant(&$0) }
    }
  }

  /// Ends all grants of a user and what they have approved, in the transaction of what ends their sessions. This process forgets
  /// them when `UserChanges` is told.
  /// - Returns: how many grants there were.
  @discardableResult
  static func endAll(
    ofUserID userID: String, _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Int {
    try db.run(CodeStatements.sql.removeOfUser, userID)
    try db.run(DeviceStatements.sql.removeOfUser, userID)
    let ended = try db.all(TokenStatements.sql.endGrantsOfUser, userID) { EndedGrant(&$0) }
    try EndedGrant.note(ended, cause, trail, in: db)
    if !ended.isEmpty { try TokenFreshness.advance(in: db) }
    return ended.count
  }

  /// Ends all grants to a client, and what has been approved for it that nobody has taken up yet.
  /// - Returns: how many grants there were.
  @discardableResult
  package func revokeAll(clientID: String) async throws(ServerError) -> Int {
    try await endAll(.administrator) { db in
      try db.run(CodeStatements.sql.removeForClient, clientID)
      try db.run(DeviceStatements.sql.removeForClient, clientID)
      return try db.all(TokenStatements.sql.endGrantsToClient, clientID) { EndedGrant(&$0) }
    }
  }

  /// The grants of a user, the oldest first.
  /// - Throws: a storage code.
  package func grants(userID: String) async throws(ServerError) -> [TokenGrant] {
    let now = clock.now
    return try await storage.read { db in
      try db.all(TokenStatements.sql.grantsOfUser, userID) { try GrantRow(&$0) }
        .filter { !$0.isRefreshExpired(at: now) }.map(\.grant)
    }
  }

  /// - Parameter body: Ends grants, which it returns, and what has been approved and not taken up yet: redeemed later
  ///   that would give what has just been taken away.
  private func endAll(
    _ cause: AuditCause, _ body: @escaping @Sendable (StorageConnection) throws -> [EndedGrant]
  ) async throws(ServerError) -> Int {
    try await end { db, trail in
      let ended = try body(db)
      try EndedGrant.note(ended, cause, trail, in: db)
      if !ended.isEmpty { try TokenFreshness.advance(in: db) }
      return ended.count
    }
  }

  private func end<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection, AuditTrail) throws -> Value
  ) async throws(ServerError) -> Value {
    // Also if the commit's outcome can't be told: then the database has the word.
    defer { freshness.invalidate() }
    let trail = AuditTrail(of: storage, at: clock.now)
    return try await storage.writeTogether { db in try body(db, trail) }
  }
}
