import Foundation

/// Bounds the mail to one address, whoever asks for it and whether or not any is sent, so that the count tells nothing.
enum MailLimits {
  /// Mails to one address within the interval.
  static let most = 5
  static let interval: TimeInterval = 3600

  /// Counts a mail. Returns whether it may be sent.
  static func take(_ address: NameKey, now: Date, in db: StorageConnection) throws -> Bool {
    let known = try db.first(MailStatements.sql.findCount, address.data) { reader -> (count: Int, since: Double) in
      (reader.next(), reader.next())
    }
    let age = now.timeIntervalSince1970 - (known?.since ?? 0)
    let isRecent = age >= 0 && age < interval
    let count = isRecent ? known?.count ?? 0 : 0
    let since = isRecent ? known?.since ?? 0 : now.timeIntervalSince1970
    try db.run(MailStatements.sql.count, address.data, min(count + 1, most), since)
    if known == nil { try db.run(MailStatements.sql.removeOldCounts, now.timeIntervalSince1970 - interval) }
    return count < most
  }
}
