import Foundation
internal import Logging
internal import OstiaryCore

/// Removes ended tokens. Each issue removes a few rows: the tables never need more room than at their largest, and no
/// separate cleaning job.
final class TokenHousekeeping: StorageCompanion {
  /// After so many issues, or so many seconds.
  private static let issues = 64
  private static let seconds = 10.0
  /// More rows than can have been added since.
  private static let batch = 4 * issues

  /// Spent tokens are kept for so many seconds beyond their time: a call that came in time may have had to wait for its
  /// turn, and must not count as theft.
  private static let patience = 60.0

  private let state = Locked((issues: 0, last: Date.distantPast))

  private init() {}

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> TokenHousekeeping { storage.shared { TokenHousekeeping() } }

  /// Counts an issue. Returns whether it is time to remove ended rows with it.
  func isDue(now: Date) -> Bool {
    state.withLock { state in
      state.issues += 1
      guard state.issues >= Self.issues || abs(now.timeIntervalSince(state.last)) >= Self.seconds else { return false }
      state = (0, now)
      return true
    }
  }

  func forgetAll() {}

  /// Removes ended tokens, up to a limit.
  static func removeExpired(
    now: Date, _ pauses: ReplayPauses, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    let time = now.timeIntervalSince1970
    try db.run(TokenStatements.sql.removeSpent, pauses.over(at: now).timeIntervalSince1970 - patience, batch)
    try db.run(TokenStatements.sql.removeCodes, time, batch)
    try db.run(TokenStatements.sql.removeDevices, time, batch)
    try removeExpiredAccessTokens(time, trail, in: db)
    try removeExpiredGrants(time, trail, in: db)
  }

  private static func removeExpiredAccessTokens(_ time: Double, _ trail: AuditTrail, in db: StorageConnection) throws {
    let grants: [Int64] = try db.values(TokenStatements.sql.removeExpiredAccessTokens, time, batch)
    guard !grants.isEmpty else { return }
    var query = StorageQuery(TokenStatements.sql.removeGrantsWithoutTokens)
    query.add(list: Set(grants).sorted())
    query.add(TokenStatements.sql.endedGrants)
    try EndedGrant.note(try db.all(query) { EndedGrant(&$0) }, .expired, trail, in: db)
  }

  /// A grant without a refresh token is removed with its last access token.
  static func removeGrantWithoutTokens(
    _ id: Int64, _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    let ended = try db.all(TokenStatements.sql.removeGrantWithoutTokens, id) { EndedGrant(&$0) }
    try EndedGrant.note(ended, cause, trail, in: db)
  }

  /// A grant whose refresh token has ended is removed, or waits for the end of its access tokens.
  private static func removeExpiredGrants(_ time: Double, _ trail: AuditTrail, in db: StorageConnection) throws {
    try db.run(TokenStatements.sql.postponeGrants, time, batch)
    let ended = try db.all(TokenStatements.sql.removeExpiredGrants, time, batch) { EndedGrant(&$0) }
    try EndedGrant.note(ended, .expired, trail, in: db)
  }
}

/// The log's records about tokens (RFC 9700 §4.14.2, ASVS 5 §16.3). A record never contains a token, code or secret.
struct TokenEvents: Sendable {
  let logger: Logger

  /// A spent token or code was used again: by an attacker, or by a client that has lost its answer.
  func reused(_ kind: String, clientID: String, user: User?, grantID: Int64?, at time: Date) {
    logger.warning(
      "security event: reuse of a spent \(kind); its tokens have been ended",
      metadata: [
        "event": "token_reuse",
        "time": "\(time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)))",
        "kind": "\(kind)",
        "client": "\(AuditLog.encoded(clientID))",
        "user": "\(user?.id ?? "-")",
        "grant": "\(grantID.map(String.init) ?? "-")",
      ])
  }
}
