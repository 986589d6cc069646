import Foundation
internal import GRDB

/// Bounds the mail to one address, whoever asks for it and whether or not any is sent, so that the count tells nothing.
enum MailLimits {
  /// Mails to one address within the interval.
  static let most = 5
  static let interval: TimeInterval = 3600

  /// Counts a mail. Returns whether it may be sent.
  static func take(_ address: NameKey, now: Date, in db: GRDB.Database) throws -> Bool {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT count, since FROM mail_counts WHERE address_key = ?"), arguments: [address.data])
    let age = now.timeIntervalSince1970 - (row?["since"] ?? 0)
    let isRecent = age >= 0 && age < interval
    let count: Int = isRecent ? row?["count"] ?? 0 : 0
    let since: Double = isRecent ? row?["since"] ?? 0 : now.timeIntervalSince1970
    try db.cachedStatement(
      sql: """
        INSERT INTO mail_counts (address_key, count, since) VALUES (?, ?, ?)
        ON CONFLICT (address_key) DO UPDATE SET count = excluded.count, since = excluded.since
        """
    ).execute(arguments: [address.data, min(count + 1, most), since])
    if row == nil {
      try db.cachedStatement(
        sql: """
          DELETE FROM mail_counts WHERE address_key IN (
            SELECT address_key FROM mail_counts WHERE since < ? ORDER BY since LIMIT 100)
          """
      ).execute(arguments: [now.timeIntervalSince1970 - interval])
    }
    return count < most
  }
}
