/// Percent-encoding of a part of a URL, such as a query parameter's name or value (RFC 3986 §2.1).
public enum PercentEncoding {
  /// The text with every byte of its UTF-8 form escaped but letters, digits and `-._~`: safe in any part of a URL.
  /// Base64's `+`, `/` and `=` become `%2B`, `%2F` and `%3D`, a space becomes `%20`.
  public static func encode(_ text: String) -> String {
    encode(text.utf8, spaceAsPlus: false) { byte in
      ASCII.isAlpha(byte) || ASCII.isDigit(byte) || unreservedMarks.contains(byte)
    }
  }

  /// The text with its escapes undone; `+` stays a plus.
  /// - Returns: `nil` when a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8.
  package static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var position = bytes.startIndex
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    while position < bytes.endIndex {
      if bytes[position] == UInt8(ascii: "%") {
        guard let byte = escapedByte(bytes[position...]) else { return nil }
        output.append(byte)
        position += 3
      } else {
        output.append(bytes[position])
        position += 1
      }
    }
    let decoded = String(decoding: output, as: UTF8.self)
    // Decoding repairs what is not UTF-8; then the bytes are no longer the same.
    return decoded.utf8.elementsEqual(output) ? decoded : nil
  }

  private static let unreservedMarks: [UInt8] = Array("-._~".utf8)
  private static let hexDigits: [UInt8] = Array("0123456789ABCDEF".utf8)

  static func encode(
    _ bytes: some Collection<UInt8>, spaceAsPlus: Bool, keeping isKept: (UInt8) -> Bool
  ) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for byte in bytes {
      if isKept(byte) {
        output.append(byte)
      } else if spaceAsPlus && byte == UInt8(ascii: " ") {
        output.append(UInt8(ascii: "+"))
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(hexDigits[Int(byte >> 4)])
        output.append(hexDigits[Int(byte & 0x0F)])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The byte that `%XX` in front of `bytes` stands for.
  static func escapedByte(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.count >= 3, let high = ASCII.hexValue(bytes[bytes.startIndex + 1]),
      let low = ASCII.hexValue(bytes[bytes.startIndex + 2])
    else { return nil }
    return high << 4 | low
  }
}
