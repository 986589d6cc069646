internal import OstiaryCore

/// An address as a proof means it (RFC 9449 §4.3): without query and fragment, in the one spelling that equal addresses have in common
/// (RFC 3986 §6.2.2 and §6.2.3).
struct ProofAddress: Hashable, Sendable {
  private let origin: Origin
  private let path: [UInt8]

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    let rest = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    guard
      let origin = Origin(
        scheme: String(decoding: bytes[..<colon], as: UTF8.self),
        authority: String(decoding: rest[..<slash], as: UTF8.self)),
      let path = Self.normalized(rest[slash...])
    else { return nil }
    self.origin = origin
    self.path = path.isEmpty ? [UInt8(ascii: "/")] : path
  }

  /// Escapes in capitals, and none for what needs none. Dots are not resolved: no client sends them.
  private static func normalized(_ path: ArraySlice<UInt8>) -> [UInt8]? {
    var normal: [UInt8] = []
    var index = path.startIndex
    while index < path.endIndex {
      guard path[index] == UInt8(ascii: "%") else {
        normal.append(path[index])
        index += 1
        continue
      }
      guard index + 2 < path.endIndex, let high = ASCII.hexValue(path[index + 1]),
        let low = ASCII.hexValue(path[index + 2])
      else { return nil }
      let byte = high << 4 | low
      if isUnreserved(byte) {
        normal.append(byte)
      } else {
        normal.append(UInt8(ascii: "%"))
        normal += [high, low].map { $0 < 10 ? $0 + 0x30 : $0 + 0x37 }
      }
      index += 3
    }
    return normal
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isAlpha(byte) || ASCII.isDigit(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
  }
}
