import Foundation
package import Logging
package import OstiaryCore

/// The tokens that the server has issued: access tokens, refresh tokens, authorization codes, device codes.
///
/// **Stored** are only SHA-256 hashes; a copy of the database contains no usable token. **Durable** is every change
/// that a call has confirmed; calls made at the same time share a commit. **Bounded** are the tables: ended tokens are
/// removed when new ones are issued. Several processes may share the storage.
///
/// **Rotation.** A used refresh token gets its successor, and for a short while the *same* successor again: a lost
/// answer signs no user out. That while does not run on while the storage fails. A later use counts as theft: the whole
/// family ends with its access tokens, and a security event is logged (RFC 9700 §4.14.2).
package final class ServerTokens: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  let events: TokenEvents
  /// The most recently used tokens, and whether they are still valid; shared by all services over the storage.
  let cache: TokenCache
  let freshness: TokenFreshness
  let housekeeping: TokenHousekeeping
  let outages: StorageOutages
  /// Counts the guesses at codes that people type.
  let guesses: GuessService

  /// Makes the service over `storage`.
  package init(storage: ServerStorage, clock: any SessionClock = .system, logger: Logger) {
    self.storage = storage
    self.clock = clock
    events = TokenEvents(logger: logger)
    cache = TokenCache.of(storage)
    freshness = TokenFreshness.of(storage)
    housekeeping = TokenHousekeeping.of(storage)
    outages = StorageOutages.of(storage)
    guesses = GuessService(storage, clock: clock)
  }

  /// Issues an access token and, if asked for, a refresh token for a new grant.
  /// - Throws: `attributesTooLarge` or a storage code.
  package func issue(_ request: GrantRequest) async throws(ServerError) -> TokenDecision {
    let pending = try PendingGrant(request)
    let issuer = issuer(for: request.client)
    let user = request.user
    return try await issue(for: issuer) { db in
      if let obstacle = try issuer.obstacle(user.map { ($0.id, $0.generation) }, in: db) {
        return .refused(obstacle)
      }
      return .issued(try issuer.issue(pending, user: user, in: db))
    }
  }

  /// Uses a refresh token.
  /// - Parameters:
  ///   - client: the client that presents it, authenticated.
  ///   - scopes: the scopes of the access token, no more than were granted; nil for all of them.
  /// - Throws: a storage code: the token's state is unknown then, and no user has been signed out.
  package func refresh(
    _ token: Secret, client: Client, scopes: [String]? = nil
  ) async throws(ServerError) -> TokenDecision {
    let issuer = issuer(for: client)
    guard let text = RefreshTokenText(token) else {
      return try await refused(.unknown, issuer)
    }
    let use = RefreshTokenUse(text, scopes: scopes, issuer: issuer, pauses: outages.pauses(until: issuer.now))
    let decision = try await issue(kind: "refresh token", for: issuer) { db in try use.run(in: db) }
    if case .issued(let tokens) = decision, !tokens.isReplay { TokenRefreshes.of(storage).count() }
    return decision
  }

  /// Runs `body`, which issues tokens, and updates caches and the log.
  /// - Parameter kind: the kind of token that is reported if one is reused.
  func issue(
    kind: String = "token", for issuer: TokenIssuer,
    _ body: @escaping @Sendable (StorageConnection) throws -> RefreshTokenUse.Outcome
  ) async throws(ServerError) -> TokenDecision {
    try await issue(kind: kind, for: issuer) { db in
      (try body(db), ())
    } cause: { refusal, _ in
      AuditCause(refusal)
    }.0
  }

  /// As ``issue(kind:for:_:)``, for a body that has a further result.
  /// - Parameter cause: why no tokens are issued, for the audit trail; nil if that is no refusal.
  func issue<Word: Sendable>(
    kind: String, for issuer: TokenIssuer,
    _ body: @escaping @Sendable (StorageConnection) throws -> (RefreshTokenUse.Outcome, Word),
    cause: (TokenRefusal, Word) -> AuditCause?
  ) async throws(ServerError) -> (TokenDecision, Word) {
    let now = clock.now
    // Taken before the transaction: a token that ends meanwhile counts as later.
    let stamp = freshness.lastStamp
    let isHousekeepingDue = housekeeping.isDue(now: now)
    let pauses = outages.pauses(until: now)
    let outcome: RefreshTokenUse.Outcome
    let word: Word
    do throws(ServerError) {
      (outcome, word) = try await storage.writeTogether { db in
        let result = try body(db)
        if isHousekeepingDue { try TokenHousekeeping.removeExpired(now: now, pauses, issuer.trail, in: db) }
        return result
      }
    } catch {
      if error.isStorageFault { outages.failed(since: now) }
      throw error
    }
    outages.succeeded(at: clock.now)
    if case .refused(let refusal) = outcome, let cause = cause(refusal, word) {
      try await storage.noteRefusal(AuditEvent(.grantRefused, cause, client: issuer.client.id), issuer.trail)
    }
    return (decision(outcome, kind: kind, stamp: stamp, now: now), word)
  }

  /// The issuer of tokens for a client at this moment.
  func issuer(for client: Client) -> TokenIssuer {
    let now = clock.now
    return TokenIssuer(client, now: now, AuditTrail(of: storage, at: now), SuccessorKey.of(storage))
  }

  /// Refuses without reading the database.
  func refused(_ refusal: TokenRefusal, _ issuer: TokenIssuer) async throws(ServerError) -> TokenDecision {
    try await storage.noteRefusal(
      AuditEvent(.grantRefused, AuditCause(refusal), client: issuer.client.id), issuer.trail)
    return .refused(refusal)
  }

  private func decision(
    _ outcome: RefreshTokenUse.Outcome, kind: String, stamp: CacheStamp?, now: Date
  ) -> TokenDecision {
    switch outcome {
    case .issued(let issue):
      cache.insert(issue.record, for: issue.hash, stamp: stamp)
      if issue.endedSome { freshness.invalidate() }
      return .issued(issue.tokens)
    case .refused(let refusal):
      return .refused(refusal)
    case .ended(let refusal, let grant):
      freshness.invalidate()
      if refusal == .reused {
        events.reused(kind, clientID: grant.clientID, user: grant.user, grantID: grant.id, at: now)
      }
      return .refused(refusal)
    }
  }
}
