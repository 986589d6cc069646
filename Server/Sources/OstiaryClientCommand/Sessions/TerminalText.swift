internal import Foundation

/// Watches the bytes of a response that go to a terminal, piece by piece, for what the terminal would take for a command.
struct TerminalText {
  /// The bytes before, as far as they matter.
  private var before: (UInt8, UInt8) = (0, 0)

  /// Whether a piece has a control character of C0 except tab and line ends, one of C1 (UTF-8: C2 80 to C2 9F), or one that turns
  /// the direction of text: U+202A to U+202E (E2 80 AA to AE) and U+2066 to U+2069 (E2 81 A6 to A9).
  mutating func commandsTerminal(_ piece: Data) -> Bool {
    for byte in piece {
      switch byte {
      case 0x09, 0x0A, 0x0D: break
      case ..<0x20, 0x7F: return true
      case 0x80...0x9F where before.1 == 0xC2: return true
      case 0xAA...0xAE where before == (0xE2, 0x80): return true
      case 0xA6...0xA9 where before == (0xE2, 0x81): return true
      default: break
      }
      before = (before.1, byte)
    }
    return false
  }
}
