internal import OstiaryCore

/// The words of one command line, as a POSIX shell splits them. What only a shell can know is a problem, and nothing is expanded.
package enum ShellWords {
  /// The longest line that is read, in bytes. Browsers copy lines with large cookies.
  package static let maximumBytes = 256 * 1024
  package static let maximumWords = 1024

  /// Splits a line, which may go on behind a backslash at its end.
  package static func split(_ text: String) throws(CaptureProblem) -> [String] {
    guard text.utf8.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    var reader = Reader(Array(text.utf8))
    return try reader.read()
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var words: [String] = []
    /// The word that is read, if one has begun.
    private var word: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(CaptureProblem) -> [String] {
      while let byte = next() {
        switch byte {
        case UInt8(ascii: "'"): try single()
        case UInt8(ascii: "\""): try double()
        case UInt8(ascii: "\\"): escape()
        case UInt8(ascii: "$") where peek == UInt8(ascii: "'"):
          index += 1
          try escaped()
        case UInt8(ascii: "$"): try dollar()
        case UInt8(ascii: "`"): throw .expansion
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): try end()
        case UInt8(ascii: "\n"):
          try end()
          // Line ends before and after the command belong to what was copied.
          guard words.isEmpty || bytes[index...].allSatisfy(Self.isSpace) else { throw .notOneCommand }
        case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"),
          UInt8(ascii: "("), UInt8(ascii: ")"):
          throw .notOneCommand
        default: append(byte)
        }
      }
      try end()
      return words
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func next() -> UInt8? {
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return bytes[index]
    }

    private mutating func append(_ byte: UInt8) {
      begin()
      word?.append(byte)
    }

    private mutating func begin() { if word == nil { word = [] } }

    private mutating func end() throws(CaptureProblem) {
      guard let word else { return }
      guard words.count < ShellWords.maximumWords else { throw .tooLarge(limit: ShellWords.maximumWords) }
      words.append(String(decoding: word, as: UTF8.self))
      self.word = nil
    }

    private mutating func single() throws(CaptureProblem) {
      begin()
      while let byte = next() {
        if byte == UInt8(ascii: "'") { return }
        append(byte)
      }
      throw .openQuote
    }

    private mutating func double() throws(CaptureProblem) {
      begin()
      while let byte = next() {
        switch byte {
        case UInt8(ascii: "\""): return
        case UInt8(ascii: "`"): throw .expansion
        case UInt8(ascii: "$"): try dollar()
        case UInt8(ascii: "\\"):
          guard let escaped = next() else { throw .openQuote }
          switch escaped {
          case UInt8(ascii: "\n"): break
          case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"): append(escaped)
          default:
            append(byte)
            append(escaped)
          }
        default: append(byte)
        }
      }
      throw .openQuote
    }

    /// Outside quotations.
    private mutating func escape() {
      guard let byte = next() else { return append(UInt8(ascii: "\\")) }
      if byte == UInt8(ascii: "\r"), peek == UInt8(ascii: "\n") {
        index += 1
        return
      }
      if byte != UInt8(ascii: "\n") { append(byte) }
    }

    /// A sign that only sometimes begins an expansion.
    private mutating func dollar() throws(CaptureProblem) {
      if let byte = peek {
        let isName = ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
        guard !isName, !"{(*@#?$!-".utf8.contains(byte) else { throw .expansion }
      }
      append(UInt8(ascii: "$"))
    }

    /// A quotation with the escapes of C (`$'…'`), which browsers write for line ends and for other alphabets.
    private mutating func escaped() throws(CaptureProblem) {
      begin()
      while let byte = next() {
        if byte == UInt8(ascii: "'") { return }
        guard byte == UInt8(ascii: "\\") else {
          append(byte)
          continue
        }
        guard let letter = next() else { throw .openQuote }
        switch letter {
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        case UInt8(ascii: "a"): append(0x07)
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "v"): append(0x0B)
        case UInt8(ascii: "e"): append(0x1B)
        case UInt8(ascii: "x"): append(UInt8(truncatingIfNeeded: number(radix: 16, digits: 2)))
        case UInt8(ascii: "u"): character(number(radix: 16, digits: 4))
        case UInt8(ascii: "U"): character(number(radix: 16, digits: 8))
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
          index -= 1
          append(UInt8(truncatingIfNeeded: number(radix: 8, digits: 3)))
        default: append(letter)
        }
      }
      throw .openQuote
    }

    private mutating func number(radix: UInt32, digits: Int) -> UInt32 {
      var value: UInt32 = 0
      for _ in 0..<digits {
        guard let byte = peek, let digit = ASCII.hexValue(byte), UInt32(digit) < radix else { break }
        value = value &* radix &+ UInt32(digit)
        index += 1
      }
      return value
    }

    private mutating func character(_ value: UInt32) {
      // A browser writes a character beyond the first plane as two halves, of UTF-16.
      var value = value
      if (0xD800..<0xDC00).contains(value), peek == UInt8(ascii: "\\") {
        let start = index
        index += 1
        let low = next() == UInt8(ascii: "u") ? number(radix: 16, digits: 4) : 0
        if (0xDC00..<0xE000).contains(low) {
          value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
        } else {
          index = start
        }
      }
      begin()
      word?.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || byte == 0x0A || byte == 0x0D }
  }
}
