import Foundation

/// Writes a message in its transfer form (RFC 5322, RFC 2045, RFC 2047): ASCII only, except in an address, and lines
/// that end with `CRLF`. An address or a subject can't add a line to the header.
struct MailText: Sendable {
  let from: MailAddress
  let fromName: String

  /// The header, an empty line and the text.
  func bytes(of message: MailMessage, to recipient: MailAddress, date: Date) -> [UInt8] {
    let domain = from.description.split(separator: "@").last.map(String.init) ?? "localhost"
    let name = Self.phrase(fromName)
    let header = [
      "From: \(name)\(name.utf8.count > 40 ? "\r\n" : "") <\(from)>",
      "To: <\(recipient)>",
      "Subject: \(Self.unstructured(message.subject))",
      "Date: \(Self.date(date))",
      "Message-ID: <\(message.id)@\(domain)>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
    ]
    return Array((header.joined(separator: "\r\n") + "\r\n\r\n").utf8) + Self.quotedPrintable(message.text)
  }

  /// RFC 5322 §3.3, in UTC.
  static func date(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    let day = days[((parts.weekday ?? 1) - 1) % 7]
    let month = months[((parts.month ?? 1) - 1) % 12]
    return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) "
      + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
  }

  /// A name as a phrase: quoted where it is plain ASCII, encoded words otherwise.
  private static func phrase(_ text: String) -> String {
    isPlain(text) ? "\"" + text.filter { $0 != "\"" && $0 != "\\" } + "\"" : encodedWords(text)
  }

  private static func unstructured(_ text: String) -> String {
    isPlain(text) && !text.contains("=?") && text.utf8.count <= 60 ? text : encodedWords(text)
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

  /// RFC 2047 §2: words of at most 75 characters, no character cut in two. Characters that could end the line are dropped.
  private static func encodedWords(_ text: String) -> String {
    var words: [String] = []
    var word: [UInt8] = []
    func finish() {
      guard !word.isEmpty else { return }
      words.append("=?utf-8?B?\(Data(word).base64EncodedString())?=")
      word = []
    }
    for scalar in text.unicodeScalars where !scalar.isUnprintable {
      let bytes = Array(String(scalar).utf8)
      if word.count + bytes.count > 36 { finish() }
      word += bytes
    }
    finish()
    return words.joined(separator: "\r\n ")
  }

  /// RFC 2045 §6.7: lines of at most 76 characters.
  static func quotedPrintable(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let lines = text.utf8.filter { $0 != UInt8(ascii: "\r") }.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { bytes += [0x0D, 0x0A] }
      var width = 0
      for (index, byte) in line.enumerated() {
        let isLast = index == line.count - 1
        let isBlank = byte == 0x20
        let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || (isBlank && !isLast)
        let piece = isPlain ? [byte] : Array("=\([byte].hexadecimal.uppercased())".utf8)
        if width + piece.count > (isLast ? 76 : 75) {
          bytes += Array("=\r\n".utf8)
          width = 0
        }
        bytes += piece
        width += piece.count
      }
    }
    return bytes.last == 0x0A ? bytes : bytes + [0x0D, 0x0A]
  }
}

/// A plain text to one person.
public struct MailMessage: Hashable, Sendable, Codable {
  /// Identifies the message, also when it is sent again; random.
  let id: String
  /// The recipient's address.
  public let recipient: String
  /// The subject, one line.
  public let subject: String
  /// The text, lines of any length, ended by `\n`.
  public let text: String
  /// The language of both (BCP 47); nil if it isn't known.
  let language: String?

  init(to recipient: MailAddress, subject: String, text: String, language: String? = nil) {
    id = RandomBytes.make(16).hexadecimal
    self.recipient = recipient.description
    self.subject = subject
    self.text = text
    self.language = language
  }
}

extension MailMessage: CustomStringConvertible, CustomReflectable {
  /// The subject only: the text contains codes.
  public var description: String { "a mail “\(subject)”" }
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
