/// A mail server's answer was another than the one hoped for.
struct SMTPRefusal: Error, Hashable, Sendable {
  let step: String
  let code: Int

  /// What it means for the message. Only a definite word about the message itself ends it (RFC 5321 §4.2.1); whatever is
  /// wrong with the server or its settings can be mended while the message waits.
  var failure: MailFailure {
    let isAboutMessage = ["MAIL", "RCPT", "DATA", "the message"].contains(step)
    return MailFailure(
      isTransient: !(isAboutMessage && (500..<600).contains(code)),
      description: "the mail server answered \(step) with \(code)")
  }
}
