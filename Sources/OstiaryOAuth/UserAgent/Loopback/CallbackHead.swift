/// The head of a request to a listener for callbacks, as far as it matters (RFC 9112 §2 to §5).
package struct CallbackHead: Sendable, Equatable {
  package let method: String
  package let target: String
  /// The `Host` field; `nil` when there is none or more than one.
  package let host: String?

  /// The largest head that is read: 16 KiB.
  package static let maximumSize = 16 * 1024

  /// What the bytes so far are.
  package enum Reading: Equatable, Sendable {
    case incomplete
    case malformed
    case head(CallbackHead)
  }

  package static func read(_ bytes: [UInt8]) -> Reading {
    guard let end = endOfHead(bytes) else { return bytes.count >= maximumSize ? .malformed : .incomplete }
    guard end <= maximumSize else { return .malformed }
    // Everything that is looked at is visible ASCII, so that nothing means one thing here and another elsewhere.
    guard
      bytes[..<end].allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A || $0 >= 0x80 || $0 == 0x09 })
    else { return .malformed }
    let lines = bytes[..<end].split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/"),
      words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return .malformed }
    let hosts = lines.dropFirst().compactMap { line -> String? in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "host" else { return nil }
      return line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }.lowercased()
    }
    return .head(
      CallbackHead(
        method: String(words[0]), target: String(words[1]), host: hosts.count == 1 ? hosts.first : nil))
  }

  /// Where the empty line begins.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return bytes.indices.dropLast(3).first { index in
      bytes[index] == 0x0D && bytes[index + 1] == 0x0A && bytes[index + 2] == 0x0D && bytes[index + 3] == 0x0A
    }
  }
}
