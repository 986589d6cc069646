import Foundation
package import OstiaryCore

extension ServerTokens {
  /// The live access token of that text, if there is one; this counts as a use.
  /// - Throws: a storage code: the token's state is unknown then, and no user has been signed out.
  package func find(_ token: Secret) async throws(ServerError) -> AccessToken? {
    guard let hash = TokenHash(presented: token) else { return nil }
    return try await record(hash, isUse: true)?.token
  }

  /// The introspection of a live token. This doesn't count as a use.
  /// - Parameters:
  ///   - client: the client whose tokens it may know; nil for all clients' tokens, for a resource server that is trusted with them.
  /// - Returns: nil for one that is unknown, has ended, or isn't the client's.
  /// - Throws: a storage code.
  package func introspect(
    _ token: Secret, client: Client? = nil
  ) async throws(ServerError) -> LiveToken? {
    guard let hash = TokenHash(presented: token) else { return nil }
    let found: LiveToken?
    if let text = RefreshTokenText(token), let row = try await liveGrant(text, hash) {
      found = LiveToken(
        kind: .refresh, grant: row.grant, scopes: row.grant.scopes, issuedAt: row.grant.createdAt,
        expiresAt: row.refreshEndsAt)
    } else {
      found = try await record(hash, isUse: false).map { record in
        LiveToken(
          kind: .access, grant: record.grant, scopes: record.scopes, issuedAt: record.createdAt,
          expiresAt: record.expiresAt == .distantFuture ? nil : record.expiresAt)
      }
    }
    return client.map { $0.id == found?.grant.clientID } ?? true ? found : nil
  }

  private func liveGrant(_ text: RefreshTokenText, _ hash: TokenHash) async throws(ServerError) -> GrantRow? {
    let now = clock.now
    return try await storage.read { db in
      guard let row = try GrantRow.find(text.handleHash, in: db), let leaf = row.leafHash,
        ConstantTime.isEqual(leaf, hash.data), row.obstacle == nil, !row.isRefreshExpired(at: now)
      else { return nil }
      return row
    }
  }

  private func record(_ hash: TokenHash, isUse: Bool) async throws(ServerError) -> AccessTokenRecord? {
    let now = clock.now
    // Taken before the database is read: a token that ends meanwhile counts as later.
    let stamp = freshness.stamp
    if let stamp {
      let known: AccessTokenRecord? = cache.use(hash, stamp: stamp) { record in
        guard record.isAlive(at: now), !(isUse && record.needsTouch(at: now)) else { return nil }
        if isUse {
          record.seenAt = max(record.seenAt, now)
          record.uncounted += 1
        }
        return record
      }
      if let known { return known }
    }
    let found = try await storage.read { db in try AccessTokenRecord.find(hash, now: now, in: db) }
    guard var record = found else {
      cache.remove(hash)
      return nil
    }
    if let last = cache.lastUse(hash) {
      // The cache may know of a later use than the database, and so of the exact end.
      record.seenAt = max(record.seenAt, last)
      guard record.isAlive(at: now) else { return nil }
    }
    guard isUse else {
      // A use on another server may move the end on: what is kept tells no later end than there is.
      if stamp != nil { cache.insert(record, for: hash, stamp: stamp) }
      return record
    }
    record.seenAt = max(record.seenAt, now)
    record.uncounted = cache.takeCount(hash) + 1
    if record.needsTouch(at: now) {
      let touched = record
      // A failed write is no reason to refuse: the token is valid, and the next use tries again.
      do {
        try await storage.writeTogether { db in try touched.touch(hash, in: db) }
        record.storedSeenAt = now
        record.uncounted = 0
      } catch {}
    }
    cache.insert(record, for: hash, stamp: stamp)
    return record
  }
}
