internal import Foundation

/// The characters that the user's terminal and programs take for text, as the locale names them.
///
/// Another terminal shows the bytes of UTF-8 as other characters, and takes some of them (0x80 to 0x9F) for commands.
package enum LocaleCharset: Sendable, Equatable {
  case utf8
  case ascii

  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set counts (POSIX.1-2024 §8.2). Where none is, as in containers and
  /// services, whose output is read as UTF-8, it is UTF-8.
  package init(_ variables: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
    let isUTF8 = locale.map { $0.uppercased().replacing("-", with: "").contains("UTF8") } ?? true
    self = isUTF8 ? .utf8 : .ascii
  }

  /// The text in these characters. What ASCII has not is written in the nearest way, or as `?`.
  func text(_ text: String) -> String {
    guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else {
        result += Self.nearest[character] ?? "?"
      }
    }
  }

  /// The signs that this command writes.
  private static let nearest: [Character: String] = [
    "✓": "+", "✗": "x", "“": "\"", "”": "\"", "„": "\"", "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "‹": "<",
    "›": ">",
    "→": "->", "•": "*", "·": "*", "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/", "⠦": "-", "⠧": "\\",
    "⠇": "|", "⠏": "/", "\u{A0}": " ",
  ]
}

/// A stream that takes text in the user's characters. Bytes that are no text, such as a response's body, go past it.
struct TextSink: OutputSink {
  let base: any OutputSink
  let charset: LocaleCharset

  var isTerminal: Bool { base.isTerminal }
  var columns: Int? { base.columns }

  /// - Parameter data: whole characters in UTF-8.
  func write(_ data: Data) throws {
    guard charset == .ascii else { return try base.write(data) }
    try base.write(Data(charset.text(String(decoding: data, as: UTF8.self)).utf8))
  }
}
