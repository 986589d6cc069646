/// Names for tokens and proofs that are used once (`jti`).
///
/// Two are never the same: 128 bits by the system's generator, which is what RFC 9449 §4.2 wants of a proof's name at least.
package enum RandomID {
  /// Makes a name of 22 characters.
  package static func make() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The same as bytes of ASCII, without a quotation mark or a backslash.
  static func bytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let (high, low) = (generator.next(), generator.next())
    return [UInt8](unsafeUninitializedCapacity: length) { text, count in
      var bits = high
      for place in 0..<length {
        // Ten characters of the first number, ten of the second, and two of what is left of both.
        if place == 10 { bits = low }
        if place == 20 { bits = (high >> 60) << 4 | low >> 60 }
        text[place] = alphabet[Int(bits & 0x3F)]
        bits >>= 6
      }
      count = length
    }
  }

  private static let length = 22
  private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
