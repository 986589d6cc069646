/// Base64 with the alphabet for addresses, without padding (RFC 7515 §2), read so that the same bytes have one text only.
///
/// Padding, blanks, other characters, an impossible length and last bits that are not zero are refused (RFC 4648 §3.5): with them
/// a token could be changed without breaking its signature.
package enum StrictBase64URL {
  /// The bytes of a text; `nil` for any text that ``encode(_:)`` does not make.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    // No value of a character has the high bit: it stays if a character has none.
    var seen: UInt8 = 0
    var stray: UInt32 = 0
    let whole = text.count / 4 * 4
    let bytes = groups.withUnsafeBufferPointer { groups in
      text.withUnsafeBufferPointer { text in
        // A group is written as four bytes, the last of which the next one writes over.
        [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 4) { bytes, length in
          let raw = UnsafeMutableRawBufferPointer(bytes)
          var all: UInt32 = 0
          var place = 0
          while place < whole {
            // The places are within both, so their sums can't overflow.
            let group =
              groups[Int(text[place])] | groups[256 &+ Int(text[place &+ 1])] | groups[512 &+ Int(text[place &+ 2])]
              | groups[768 &+ Int(text[place &+ 3])]
            all |= group
            raw.storeBytes(of: group.littleEndian, toByteOffset: length, as: UInt32.self)
            place &+= 4
            length &+= 3
          }
          seen = UInt8(truncatingIfNeeded: all >> 24)
          var bits: UInt32 = 0
          for character in text[whole...] {
            let value = values[Int(character)]
            seen |= value
            bits = bits << 6 | UInt32(value)
          }
          switch text.count - whole {
          case 2:
            bytes[length] = UInt8(truncatingIfNeeded: bits >> 4)
            length += 1
            stray = bits & 0xF
          case 3:
            bytes[length] = UInt8(truncatingIfNeeded: bits >> 10)
            bytes[length + 1] = UInt8(truncatingIfNeeded: bits >> 2)
            length += 2
            stray = bits & 3
          default: break
          }
        }
      }
    }
    return seen & invalid == 0 && stray == 0 ? bytes : nil
  }

  /// The bytes of a text; `nil` for any text that ``encode(_:)`` does not make.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

  /// The bytes as text.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { write(bytes, to: $0) }
  }

  /// Appends the bytes as text.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let start = text.count
    text.append(contentsOf: repeatElement(0, count: (bytes.count * 4 + 2) / 3))
    text.withUnsafeMutableBufferPointer { text in
      _ = write(bytes, to: UnsafeMutableBufferPointer(rebasing: text[start...]))
    }
  }

  /// - Parameter text: has room for four characters of each three bytes.
  /// - Returns: how many characters were written.
  private static func write(_ bytes: [UInt8], to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    alphabet.withUnsafeBufferPointer { alphabet in
      bytes.withUnsafeBufferPointer { bytes in
        let whole = bytes.count / 3 * 3
        var (place, length) = (0, 0)
        while place < whole {
          let (a, b, c) = (bytes[place], bytes[place + 1], bytes[place + 2])
          text[length] = alphabet[Int(a >> 2)]
          text[length + 1] = alphabet[Int((a & 3) << 4 | b >> 4)]
          text[length + 2] = alphabet[Int((b & 0xF) << 2 | c >> 6)]
          text[length + 3] = alphabet[Int(c & 0x3F)]
          place += 3
          length += 4
        }
        guard place < bytes.count else { return length }
        let first = bytes[place]
        text[length] = alphabet[Int(first >> 2)]
        guard place + 1 < bytes.count else {
          text[length + 1] = alphabet[Int((first & 3) << 4)]
          return length + 2
        }
        let second = bytes[place + 1]
        text[length + 1] = alphabet[Int((first & 3) << 4 | second >> 4)]
        text[length + 2] = alphabet[Int((second & 0xF) << 2)]
        return length + 3
      }
    }
  }

  /// The bytes as text.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

  private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The bit that no value of a character has.
  private static let invalid: UInt8 = 0x80

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The three bytes that four characters make, the first one lowest, by the characters' places: what each adds to them. Above them is
  /// `invalid` for what is no character.
  private static let groups: [UInt32] = {
    var groups = [UInt32](repeating: UInt32(invalid) << 24, count: 1024)
    for (value, character) in alphabet.enumerated() {
      let (value, place) = (UInt32(value), Int(character))
      groups[place] = value << 2
      groups[256 + place] = value >> 4 | (value & 0xF) << 12
      groups[512 + place] = (value >> 2) << 8 | (value & 3) << 22
      groups[768 + place] = value << 16
    }
    return groups
  }()
}
