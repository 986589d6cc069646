/// What a server says in its own words, made fit to be shown to a person: in messages, logs and events.
package enum ServerWords {
  /// The words without secrets and without what could move a terminal's cursor or fill a log.
  ///
  /// Secrets are taken out first, and only then the text is shortened: cut in two, a secret would not be found any more.
  /// One is found as it is, percent-encoded or form-encoded, behind JSON's backslashes, and by its beginning from 16 bytes
  /// on. Secrets of less than 4 bytes stay: to take them out would make a riddle of any sentence.
  /// - Parameters:
  ///   - text: the server's words.
  ///   - secrets: what must not be shown.
  ///   - limit: the most Unicode scalars to show.
  package static func shown(_ text: String, hiding secrets: [Secret], limit: Int) -> String {
    // Far more than is shown. A secret that begins within it is found by its beginning.
    let hidden = hide(secrets, in: Array(text.utf8.prefix(64 * 1024)))
    return printable(String(decoding: hidden, as: UTF8.self).unicodeScalars.prefix(limit))
  }

  /// A text in which a space stands for everything that controls how text is shown: control characters, line and paragraph separators,
  /// and what overrides, embeds or isolates a direction.
  package static func printable(_ text: some Sequence<Unicode.Scalar>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text { result.append(isPrintable(scalar) ? scalar : " ") }
    return String(result)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  /// From how many bytes on the beginning of a secret is taken out.
  private static let shortestPart = 16
  private static let mark = Array("‹secret›".utf8)

  private static func hide(_ secrets: [Secret], in text: [UInt8]) -> [UInt8] {
    let secrets = secrets.map { Array($0.reveal().utf8) }.filter { $0.count > 3 }
    guard !secrets.isEmpty else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      let length = secrets.map { hiddenLength(of: $0, in: text, at: position) }.max() ?? 0
      if length > 0 {
        result += mark
        position += length
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return result
  }

  /// How many bytes of the text, from a position on, are a secret or enough of its beginning; 0 for none.
  private static func hiddenLength(of secret: [UInt8], in text: [UInt8], at start: Int) -> Int {
    var position = start
    var matched = 0
    while matched < secret.count, let length = length(of: secret[matched], in: text, at: position) {
      position += length
      matched += 1
    }
    return matched == secret.count || matched >= shortestPart ? position - start : 0
  }

  /// How many bytes stand for `byte` at a position; `nil` when it is another.
  private static func length(of byte: UInt8, in text: [UInt8], at position: Int) -> Int? {
    guard position < text.count else { return nil }
    let first = text[position]
    if first == byte { return 1 }
    if first == UInt8(ascii: "+"), byte == UInt8(ascii: " ") { return 1 }
    if first == UInt8(ascii: "\\"), position + 1 < text.count, text[position + 1] == byte { return 2 }
    if first == UInt8(ascii: "%"), position + 2 < text.count, let high = ASCII.hexValue(text[position + 1]),
      let low = ASCII.hexValue(text[position + 2]), high << 4 | low == byte
    {
      return 3
    }
    return nil
  }
}
