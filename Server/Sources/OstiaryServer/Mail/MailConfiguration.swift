import Foundation
public import OstiaryCore

/// How the server sends mail: to a submission server, by SMTP (RFC 6409, RFC 5321).
public struct MailConfiguration: Sendable {
  /// How the connection is protected.
  public enum Security: Sendable, Hashable {
    /// TLS from the first byte; port 465 (RFC 8314 §3).
    case implicitTLS
    /// TLS after `STARTTLS`, without which nothing is sent; port 587 (RFC 3207).
    case startTLS
    /// No protection at all: for a relay on this machine.
    case insecurePlainText
  }

  /// The name of the submission server.
  public var host: String
  /// Its port; nil takes the usual one.
  public var port: Int?
  /// How the connection is protected.
  public var security = Security.implicitTLS
  /// The name to sign in with; nil doesn't sign in.
  public var username: String?
  /// Its password.
  public var password: Secret?
  /// The sender of the mail.
  public var from: MailAddress
  /// The sender's name.
  public var fromName = "Ostiary"
  /// Further authorities whose certificates are accepted, as PEM; nil accepts the system's only.
  public var authorities: String?
  /// How long the server may take over one step of the conversation. 30 s by default.
  public var patience: Duration = .seconds(30)

  /// Mail through a submission server.
  public init(host: String, from: MailAddress) {
    self.host = host
    self.from = from
  }

  var usedPort: Int {
    port
      ?? {
        switch security {
        case .implicitTLS: 465
        case .startTLS: 587
        case .insecurePlainText: 25
        }
      }()
  }

  /// All problems of the configuration, one sentence each.
  var problems: [String] {
    var problems: [String] = []
    if host.isEmpty || host.utf8.contains(where: { $0 <= 0x20 }) {
      problems.append("The mail server has no usable name: set its host.")
    }
    if !(1...65535).contains(usedPort) { problems.append("\(usedPort) is not a port of a mail server.") }
    if (username == nil) != (password == nil) {
      problems.append("The mail server's user name and password go together.")
    }
    let isLoopback = Origin(scheme: "http", host: host, port: nil)?.isLoopback ?? false
    if security == .insecurePlainText, !isLoopback {
      problems.append("Mail is sent in clear to this machine only: use TLS for \(host).")
    }
    if patience <= .zero { problems.append("The mail server needs some time to answer.") }
    return problems
  }
}

/// Bounds the mail to one address. Mail is counted for every requester, whether or not it is sent: the count shows
/// nothing about the account.
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
