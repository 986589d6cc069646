/// Splits a mail server's bytes into replies, in bounded memory.
struct SMTPReplyParser: Sendable {
  struct Malformed: Error {}

  private static let mostLineBytes = 2048
  private static let mostLines = 128

  private var line: [UInt8] = []
  private var lines: [String] = []
  private var code: Int?

  /// Whether no part of another reply has arrived.
  var isIdle: Bool { line.isEmpty && lines.isEmpty }

  /// Takes bytes and returns the replies that are complete.
  mutating func consume(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [SMTPReply] {
    var replies: [SMTPReply] = []
    for byte in bytes {
      guard byte == 0x0A else {
        guard line.count < Self.mostLineBytes else { throw Malformed() }
        line.append(byte)
        continue
      }
      if line.last == 0x0D { line.removeLast() }
      if let reply = try finishLine() { replies.append(reply) }
    }
    return replies
  }

  private mutating func finishLine() throws(Malformed) -> SMTPReply? {
    defer { line = [] }
    let digits = line.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }), lines.count < Self.mostLines else {
      throw Malformed()
    }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard (200..<600).contains(number), code == nil || code == number else { throw Malformed() }
    let mark = line.dropFirst(3).first
    guard mark == nil || mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-") else { throw Malformed() }
    lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
    guard mark != UInt8(ascii: "-") else {
      code = number
      return nil
    }
    defer {
      lines = []
      code = nil
    }
    return SMTPReply(code: number, lines: lines)
  }
}
