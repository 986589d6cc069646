import Foundation
internal import Logging

/// What the log says of tokens (RFC 9700 §4.14.2, ASVS 5 §16.3). A record never has a token, code or secret.
struct TokenEvents: Sendable {
  let logger: Logger

  /// Somebody has used what was used before: perhaps a thief, perhaps a client that has lost what it had.
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
