import OstiaryCore

/// Takes one message to where it goes.
///
/// It must not return before somebody else has taken the responsibility for the message, and must never log what is in
/// it.
protocol MailSender: Sendable {
  /// - Throws: `MailFailure`.
  func send(_ message: MailMessage) async throws(MailFailure)
}

/// A message was not sent.
struct MailFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether trying again can help.
  let isTransient: Bool
  /// What happened, without anything of the message.
  let description: String

  static func transient(_ description: String) -> MailFailure {
    MailFailure(isTransient: true, description: description)
  }
  static func permanent(_ description: String) -> MailFailure {
    MailFailure(isTransient: false, description: description)
  }
}

/// Where a development server puts its mail instead of sending it. Everybody who can reach the server can read it.
public final class InsecureDevelopmentMailbox: MailSender {
  /// How many messages are kept; the oldest make room.
  static let most = 200
  private let kept = Locked<[MailMessage]>([])

  init() {}

  /// The messages, oldest first.
  public var messages: [MailMessage] { kept.withLock { $0 } }

  /// Those to one address, oldest first.
  public func messages(to address: String) -> [MailMessage] { messages.filter { $0.recipient == address } }

  func send(_ message: MailMessage) async throws(MailFailure) {
    kept.withLock { kept in
      if kept.count >= Self.most { kept.removeFirst() }
      kept.append(message)
    }
  }
}
