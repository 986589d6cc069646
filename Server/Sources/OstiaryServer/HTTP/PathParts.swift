/// A path for another server, split into segments that are not interpreted. A path is refused if a segment is one of
/// the dots that lead elsewhere (RFC 3986 §5.2.4), or could be read as one.
struct PathParts: Sendable {
  /// Each segment as it was sent.
  let raw: [Substring]
  /// Each segment with its percent-encoding decoded once.
  let decoded: [String]

  init?(_ path: String) {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    raw = path.droppingBytes(1).byteParts(at: "/")
    var decoded: [String] = []
    decoded.reserveCapacity(raw.count)
    for segment in raw {
      guard let text = FormFields.decode(segment.utf8, plusIsSpace: false), Self.isHarmless(text) else { return nil }
      decoded.append(text)
    }
    self.decoded = decoded
  }

  /// Whether the decoded path begins with these segments.
  func begin(with segments: [String]) -> Bool {
    decoded.count >= segments.count && zip(decoded, segments).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// Whether all servers read the path alike: it has no part that some server would decode, strip or resolve.
  var isUnambiguous: Bool {
    zip(raw, decoded).enumerated().allSatisfy { index, pair in
      let (raw, decoded) = pair
      return raw.hasSameBytes(as: decoded) && (!raw.isEmpty || index == self.raw.count - 1)
        && !raw.utf8.contains { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "%") || $0 >= 0x80 }
    }
  }

  /// Some servers read a backslash as a slash, and drop the text after a semicolon.
  private static func isHarmless(_ segment: String) -> Bool {
    guard !segment.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return false }
    return segment.byteParts(at: "/", "\\").allSatisfy { part in
      let name = part.bytePrefix(before: ";")
      return !name.hasSameBytes(as: ".") && !name.hasSameBytes(as: "..")
    }
  }
}
