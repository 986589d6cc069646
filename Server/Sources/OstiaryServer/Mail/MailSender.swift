import OstiaryCore

/// Delivers one message.
///
/// It must not return before another system has taken the responsibility for the message, and must never log the
/// message's content.
protocol MailSender: Sendable {
  /// - Throws: `MailFailure`.
  func send(_ message: MailMessage) async throws(MailFailure)
}

/// A message was not sent.
struct MailFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether trying again can help.
  let isTransient: Bool
  /// The failure in words, without any part of the message.
  let description: String

  static func transient(_ description: String) -> MailFailure {
    MailFailure(isTransient: true, description: description)
  }
  static func permanent(_ description: String) -> MailFailure {
    MailFailure(isTransient: false, description: description)
  }
}

/// Stores the mail of a development server instead of sending it. Every client on the same machine can read it.
public final class InsecureDevelopmentMailbox: MailSender {
  /// The most messages that are kept; the oldest are removed first.
  static let most = 200
  private let kept = Locked<[MailMessage]>([])

  init() {}

  /// The messages, oldest first.
  public var messages: [MailMessage] { kept.withLock { $0 } }

  /// The messages to one address, oldest first.
  public func messages(to address: String) -> [MailMessage] { messages.filter { $0.recipient == address } }

  func send(_ message: MailMessage) async throws(MailFailure) {
    kept.withLock { kept in
      if kept.count >= Self.most { kept.removeFirst() }
      kept.append(message)
    }
  }
}
