import Foundation
package import OstiaryCore

extension ServerTokens {
  /// A code is remembered for this long after its end: the server has to detect its reuse.
  private static let codeMemory: TimeInterval = 3600

  /// Issues an authorization code: 256 random bits, valid once and for the client's `codeLifetime`.
  /// - Throws: `attributesTooLarge` or a storage code.
  package func issueCode(_ request: CodeRequest) async throws(ServerError) -> CodeDecision {
    let client = request.grant.client
    let issuer = issuer(for: client)
    guard request.challenge != nil || !client.policy.requiresCodeChallenge else {
      _ = try await refused(.codeChallengeMissing, issuer)
      return .refused(.codeChallengeMissing)
    }
    let pending = try PendingGrant(request.grant)
    let code = TokenHash.newText(prefix: request.prefix)
    guard let hash = TokenHash(presented: Secret(code)) else {
      throw ServerError(.attributesTooLarge, "A code's prefix is too long.", advice: "Use 64 bytes at most.")
    }
    let now = clock.now
    let expiry = now.addingTimeInterval(client.policy.codeLifetime.timeInterval)
    let user = request.grant.user
    let isHousekeepingDue = housekeeping.isDue(now: now)
    let pauses = outages.pauses(until: now)
    let decision = try await storage.writeTogether { db -> CodeDecision in
      if let obstacle = try issuer.obstacle(user.map { ($0.id, $0.generation) }, in: db) {
        return .refused(obstacle)
      }
      try db.run(
        CodeStatements.sql.insert, hash.data, client.id, user?.id, user?.generation, try pending.encoded(),
        request.redirectURI, request.challenge?.value, expiry, expiry.addingTimeInterval(Self.codeMemory))
      try issuer.trail.note(AuditEvent(.authorizationIssued, user: user?.id, client: client.id), in: db)
      if isHousekeepingDue { try TokenHousekeeping.removeExpired(now: now, pauses, issuer.trail, in: db) }
      return .issued(Secret(code))
    }
    if case .refused(let refusal) = decision { _ = try await refused(refusal, issuer) }
    return decision
  }

  /// Redeems an authorization code. A second use ends all tokens that the first use gave (RFC 6749 §4.1.2).
  ///
  /// A code presented with another redirect URI or verifier is refused and stays valid.
  /// - Parameters:
  ///   - client: the client that presents it, authenticated.
  ///   - redirectURI: the client's redirect URI in this call. A client whose code has a PKCE challenge may leave it out (OAuth 2.1).
  ///   - verifier: the PKCE verifier.
  /// - Throws: a storage code.
  package func redeem(
    code: Secret, client: Client, redirectURI: String?, verifier: Secret?
  ) async throws(ServerError) -> TokenDecision {
    let issuer = issuer(for: client)
    guard let hash = TokenHash(presented: code) else { return try await refused(.unknown, issuer) }
    return try await issue(kind: "authorization code", for: issuer) { db in
      guard let found = try CodeRow.find(hash, in: db) else { return .refused(.unknown) }
      guard found.clientID == client.id else { return .refused(.otherClient) }
      // What the code belongs to is locked before it: see StorageStatement.locking.
      let admission = try issuer.admit(found.user, in: db)
      guard let row = try CodeRow.findForUse(hash, in: db) else { return .refused(.unknown) }
      if row.isSpent {
        // One event is enough for the log; the grant may have ended for another reason.
        guard let id = row.grantID, let grant = try GrantRow.find(id: id, in: db)?.grant else {
          return .refused(.reused)
        }
        try issuer.trail.note(
          AuditEvent(.tokenReused, .reused, user: grant.user?.id, client: client.id, grant: id), in: db)
        _ = try GrantRow.end(id: id, .reused, issuer.trail, in: db)
        return .ended(.reused, grant)
      }
      guard issuer.now < row.expiresAt else { return .refused(.expired) }
      if let refusal = row.refusal(redirectURI: redirectURI, verifier: verifier, policy: client.policy) {
        return .refused(refusal)
      }
      guard case .admitted(let user) = admission else { return .refused(admission.obstacle ?? .userChanged) }
      let issue = try issuer.issue(row.pending, user: user, in: db)
      try db.run(CodeStatements.sql.spend, issue.record.grant.id, hash.data)
      return .issued(issue)
    }
  }
}
