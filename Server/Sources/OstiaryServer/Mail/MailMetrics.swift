import Foundation

/// What became of an attempt to send a mail, in metrics.
enum MailOutcome: String, MetricLabel {
  case sent
  case postponed
  case givenUp = "given_up"
  case expired
}

/// The metrics of mail.
enum MailMetrics {
  static let deliveries = MetricDefinition(
    "ostiary_mail_deliveries_total", .counter, "Attempts to send a mail.",
    MetricDimension("outcome", MailOutcome.self))
  static let waiting = MetricDefinition(
    "ostiary_mail_outbox_messages", .gauge, "Mails in the outbox, which all servers on one database share.")
  static let overdue = MetricDefinition(
    "ostiary_mail_outbox_overdue_seconds", .gauge, "Time for which the mail that is due first has been due.")
  static let failing = MetricDefinition(
    "ostiary_mail_failing_seconds", .gauge, "Time for which this process could send no mail; 0 if the last was sent.")

  static let all = [deliveries, waiting, overdue, failing]
}

/// What waits in the outbox.
struct MailBacklog: Sendable {
  /// How many mails wait.
  let count: Int
  /// When the first of them was, or will be, due.
  let firstDue: Date?

  static func find(in db: StorageConnection) throws -> MailBacklog {
    try db.first(MailStatements.sql.backlog) { reader in
      MailBacklog(count: reader.next(), firstDue: reader.next())
    } ?? MailBacklog(count: 0, firstDue: nil)
  }
}
