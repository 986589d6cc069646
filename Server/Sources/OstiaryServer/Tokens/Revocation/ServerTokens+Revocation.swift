import Foundation
package import OstiaryCore

/// When one of these returns, the ended tokens are accepted in no process, and no call under way makes them valid again.
extension ServerTokens {
  /// Revokes a token: an access token alone, a refresh token with its family and all access tokens of it (RFC 7009).
  ///
  /// A refresh token that has been replaced still identifies its family: a client that has lost the successor can sign
  /// out with it.
  /// - Parameter client: the client that asks; nil for a door at which holding the token is enough.
  /// - Returns: the revoked token; nil for a token that is unknown, or belongs to another client: nothing has happened
  ///   then. RFC 7009 §2.2 requires the answer of a success.
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
      try db.run(TokenStatements.sql.endAccessToken, hash.data, ends: .tokens(ofGrant: grantID))
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

  /// Ends grants that the database has forgotten the end of.
  /// - Parameter ended: their ids, and when their end was heard of: a later grant may have got the same id.
  func endAgain(_ ended: [(id: Int64, at: Date)]) async throws(ServerError) {
    _ = try await end { db, trail in
      // In one order, as other servers may do it at the same time.
      for (id, time) in ended.sorted(by: { $0.id < $1.id }) {
        let found = try db.all(TokenStatements.sql.endGrantOfBefore, id, time, ends: { _ in [.family(id)] }) {
          EndedGrant(&$0)
        }
        try EndedGrant.note(found, .requestedByApp, trail, in: db)
        if !found.isEmpty { try TokenFreshness.advance(in: db) }
      }
    }
  }

  /// Ends all grants of a user, or those to one client, and the user's approvals that no client has redeemed yet.
  /// - Returns: how many grants there were.
  @discardableResult
  package func revokeAll(userID: String, clientID: String? = nil) async throws(ServerError) -> Int {
    guard let clientID else {
      return try await end { db, trail in
        _ = try UserRow.findForUse(id: userID, in: db)
        return try Self.endAll(ofUserID: userID, .requestedByApp, tellsEach: true, trail, in: db)
      }
    }
    return try await endAll(.requestedByApp) { db in
      _ = try UserRow.findForUse(id: userID, in: db)
      try db.run(CodeStatements.sql.removeOfUserForClient, userID, clientID)
      try db.run(DeviceStatements.sql.removeOfUserForClient, userID, clientID)
      return try db.all(
        TokenStatements.sql.endGrantsOfUserToClient, userID, clientID,
        ends: { (ended: [EndedGrant]) in StorageEnd.each(ended.map(\.end), orAll: .user(userID)) }
      ) { EndedGrant(&$0) }
    }
  }

  /// Ends all grants and approvals of a user, in a transaction that has locked the user, and may have ended their sessions. This process removes them from its
  /// caches when `UserChanges` is notified.
  /// - Parameter tellsEach: whether the grants are told one by one, in a transaction that ends nothing else.
  /// - Returns: how many grants there were.
  @discardableResult
  static func endAll(
    ofUserID userID: String, _ cause: AuditCause, tellsEach: Bool = false, _ trail: AuditTrail,
    in db: StorageConnection
  ) throws -> Int {
    try db.run(CodeStatements.sql.removeOfUser, userID)
    try db.run(DeviceStatements.sql.removeOfUser, userID)
    let ended = try db.all(
      TokenStatements.sql.endGrantsOfUser, userID,
      ends: { (ended: [EndedGrant]) in
        tellsEach ? StorageEnd.each(ended.map(\.end), orAll: .user(userID)) : [.user(userID)]
      }
    ) { EndedGrant(&$0) }
    try EndedGrant.note(ended, cause, trail, in: db)
    if !ended.isEmpty { try TokenFreshness.advance(in: db) }
    return ended.count
  }

  /// Ends all grants to a client, and the approvals for it that it has not redeemed yet.
  /// - Returns: how many grants there were.
  @discardableResult
  package func revokeAll(clientID: String) async throws(ServerError) -> Int {
    try await endAll(.administrator) { db in
      try db.run(CodeStatements.sql.removeForClient, clientID)
      try db.run(DeviceStatements.sql.removeForClient, clientID)
      return try db.all(
        TokenStatements.sql.endGrantsToClient, clientID,
        ends: { (ended: [EndedGrant]) in StorageEnd.each(ended.map(\.end), orAll: .client(clientID)) }
      ) { EndedGrant(&$0) }
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

  /// - Parameter body: Ends grants, which it returns, and approvals that are not redeemed yet: redeemed later they
  ///   would give back what has just been revoked.
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
    // Also if the commit's outcome is unknown: the database is read again then.
    defer { freshness.invalidate() }
    let trail = AuditTrail(of: storage, at: clock.now)
    return try await storage.writeEnd(together: true) { db in try body(db, trail) }
  }
}
