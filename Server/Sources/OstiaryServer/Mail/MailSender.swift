import OstiaryCore

/// Takes one message to where it goes.
///
/// It must not return before somebody else has taken the responsibility for the message, and must never log what is in
/// it.
protocol MailSender: Sendable {
  /// - Throws: ``MailFailure``.
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
