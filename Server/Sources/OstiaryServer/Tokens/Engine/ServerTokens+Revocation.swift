import Foundation
internal import GRDB
public import OstiaryCore

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
  public func revoke(_ token: Secret, client: Client? = nil) async throws(ServerError) -> TokenKind? {
    guard let hash = TokenHash(presented: token) else { return nil }
    let text = RefreshTokenText(token)
    return try await end { db in
      if let text, let row = try GrantRow.find(text.handleHash, in: db), row.grant.prefixes.refresh == text.prefix {
        guard client == nil || client?.id == row.grant.clientID else { return nil }
        return try GrantRow.end(id: row.grant.id, in: db) ? .refresh : nil
      }
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT grants.id, grants.client_id FROM access_tokens JOIN grants ON grants.id = access_tokens.grant_id
            WHERE access_tokens.token_hash = ?
            """), arguments: [hash.data])
      guard let row else { return nil }
      let (grantID, clientID): (Int64, String) = (row["id"], row["client_id"])
      guard client == nil || client?.id == clientID else { return nil }
      try db.cachedStatement(sql: "DELETE FROM access_tokens WHERE token_hash = ?").execute(arguments: [hash.data])
      try TokenHousekeeping.removeGrantWithoutTokens(grantID, in: db)
      try TokenFreshness.advance(in: db)
      return .access
    }
  }

  /// Ends a grant with all its tokens.
  /// - Returns: whether there was one.
  @discardableResult
  public func revoke(grantID: Int64) async throws(ServerError) -> Bool {
    try await end { db in try GrantRow.end(id: grantID, in: db) }
  }

  /// Ends all grants of a user, or those to one client, and what they have approved that nobody has taken up yet.
  /// - Returns: how many grants there were.
  @discardableResult
  public func revokeAll(userID: String, clientID: String? = nil) async throws(ServerError) -> Int {
    try await endAll(
      "user_id = :user AND (:client IS NULL OR client_id = :client)", ["user": userID, "client": clientID])
  }

  /// Ends all grants to a client, and what has been approved for it that nobody has taken up yet.
  /// - Returns: how many grants there were.
  @discardableResult
  public func revokeAll(clientID: String) async throws(ServerError) -> Int {
    try await endAll("client_id = :client", ["client": clientID])
  }

  /// The grants of a user, the oldest first.
  /// - Throws: a storage code.
  public func grants(userID: String) async throws(ServerError) -> [TokenGrant] {
    let now = clock.now
    return try await storage.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(GrantRow.columns) FROM grants \(GrantRow.joins) WHERE grants.user_id = ? ORDER BY grants.id
          """, arguments: [userID]
      ).map { row in
        var reader = ColumnReader(row)
        return try GrantRow(&reader)
      }.filter { !$0.isRefreshExpired(at: now) }.map(\.grant)
    }
  }

  private func endAll(_ condition: String, _ arguments: StatementArguments) async throws(ServerError) -> Int {
    try await end { db in
      // Redeemed later they would give what has just been taken away.
      for table in ["authorization_codes", "device_codes"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: arguments)
      }
      try db.execute(sql: "DELETE FROM grants WHERE \(condition)", arguments: arguments)
      let count = db.changesCount
      if count > 0 { try TokenFreshness.advance(in: db) }
      return count
    }
  }

  private func end<Value: Sendable>(
    _ body: @escaping @Sendable (GRDB.Database) throws -> Value
  ) async throws(ServerError) -> Value {
    // Also if the commit's outcome can't be told: then the database has the word.
    defer { storage.tokenFreshness.invalidate() }
    return try await storage.writeTogether(body)
  }
}
