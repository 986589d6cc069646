/// Base64 with the alphabet for addresses, without padding (RFC 7515 §2), read so that the same bytes have one text only.
///
/// Padding, blanks, other characters, an impossible length and last bits that are not zero are refused (RFC 4648 §3.5): with them
/// a token could be changed without breaking its signature.
package enum StrictBase64URL {
  /// The bytes of a text; `nil` for any text that ``encode(_:)`` does not make.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let count = text.count
    guard count % 4 != 1 else { return nil }
    var seen: UInt8 = 0
    var last: UInt32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 2) { bytes, length in
      var bits: UInt32 = 0
      var held = 0
      for character in text {
        let value = values[Int(character)]
        seen |= value
        bits = bits << 6 | UInt32(value & 0x3F)
        held += 1
        guard held == 4 else { continue }
        bytes[length] = UInt8(truncatingIfNeeded: bits >> 16)
        bytes[length + 1] = UInt8(truncatingIfNeeded: bits >> 8)
        bytes[length + 2] = UInt8(truncatingIfNeeded: bits)
        length += 3
        bits = 0
        held = 0
      }
      if held == 2 {
        bytes[length] = UInt8(truncatingIfNeeded: bits >> 4)
        length += 1
        last = bits & 0xF
      } else if held == 3 {
        bytes[length] = UInt8(truncatingIfNeeded: bits >> 10)
        bytes[length + 1] = UInt8(truncatingIfNeeded: bits >> 2)
        length += 2
        last = bits & 3
      }
    }
    return seen & invalid == 0 && last == 0 ? bytes : nil
  }

  /// The bytes of a text; `nil` for any text that ``encode(_:)`` does not make.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

  /// The bytes as text.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let count = bytes.count
    return String(unsafeUninitializedCapacity: (count * 4 + 2) / 3) { text in
      var length = 0
      var bits: UInt32 = 0
      var held = 0
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        held += 8
        while held >= 6 {
          held -= 6
          text[length] = alphabet[Int(bits >> UInt32(held) & 0x3F)]
          length += 1
        }
        bits &= 1 << UInt32(held) - 1
      }
      if held > 0 {
        text[length] = alphabet[Int(bits << UInt32(6 - held) & 0x3F)]
        length += 1
      }
      return length
    }
  }

  private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The bit that no value of a character has.
  private static let invalid: UInt8 = 0x80

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
