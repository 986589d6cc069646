/// What a mail server says to a command (RFC 5321 §4.2).
struct SMTPReply: Hashable, Sendable {
  let code: Int
  /// The text of each line.
  let lines: [String]

  /// What it can do, in upper case, with the parameters of each: the lines of the answer to `EHLO` after the first.
  var extensions: [String: [String]] {
    var extensions: [String: [String]] = [:]
    for line in lines.dropFirst() {
      let words = line.uppercasedASCII.byteParts(at: " ").filter { !$0.isEmpty }.map(String.init)
      if let name = words.first { extensions[name] = Array(words.dropFirst()) }
    }
    return extensions
  }
}
