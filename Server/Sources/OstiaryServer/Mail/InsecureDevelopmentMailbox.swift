import OstiaryCore

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
