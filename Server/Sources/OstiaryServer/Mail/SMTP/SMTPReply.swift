/// A mail server's reply to a command (RFC 5321 §4.2).
struct SMTPReply: Hashable, Sendable {
  let code: Int
  /// The text of each line.
  let lines: [String]

  /// The server's extensions, in upper case, with the parameters of each: the lines of the answer to `EHLO` after the first.
  var extensions: [String: [String]] {
    var extensions: [String: [String]] = [:]
    for line in lines.dropFirst() {
      let words = line.uppercasedASCII.byteParts(at: " ").filter { !$0.isEmpty }.map(String.init)
      if let name = words.first { extensions[name] = Array(words.dropFirst()) }
    }
    return extensions
  }
}

/// A mail server's unexpected reply.
struct SMTPRefusal: Error, Hashable, Sendable {
  let step: String
  let code: Int

  /// The consequence for the message. Only a definite reply about the message itself ends it (RFC 5321 §4.2.1); a
  /// problem of the server or its settings can be repaired while the message waits.
  var failure: MailFailure {
    let isAboutMessage = ["MAIL", "RCPT", "DATA", "the message"].contains(step)
    return MailFailure(
      isTransient: !(isAboutMessage && (500..<600).contains(code)),
      description: "the mail server answered \(step) with \(code)")
  }
}
