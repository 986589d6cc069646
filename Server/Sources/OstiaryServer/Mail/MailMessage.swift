/// A plain text to one person.
public struct MailMessage: Hashable, Sendable, Codable {
  /// Names it, also where it is sent again; random.
  let id: String
  /// Whom it is for.
  public let recipient: String
  /// The subject, one line.
  public let subject: String
  /// The text, lines of any length, ended by `\n`.
  public let text: String

  init(to recipient: MailAddress, subject: String, text: String) {
    id = RandomBytes.make(16).hexadecimal
    self.recipient = recipient.description
    self.subject = subject
    self.text = text
  }
}

extension MailMessage: CustomStringConvertible, CustomReflectable {
  /// The subject alone: codes travel in the text.
  public var description: String { "a mail “\(subject)”" }
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
