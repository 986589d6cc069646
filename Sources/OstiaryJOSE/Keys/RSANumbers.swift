/// Which RSA keys are used.
enum RSANumbers {
  /// RFC 7518 §3.3 and §3.5 demand 2048 bits. Much larger keys would let a server make verifying expensive.
  static let bits = 2048...8192

  static let unusable = JOSEError(
    .unusableKey, "An RSA key has to have 2048 to 8192 bits, and an odd exponent of 3 or more and at most 32 bits.",
    source: "RFC 7518 §3.3")

  /// Whether a key of these numbers is used. They are in bytes, without zeros before them.
  static func areUsable(modulus: [UInt8], exponent: [UInt8]) -> Bool {
    guard let first = modulus.first, let last = modulus.last,
      bits.contains(modulus.count * 8 - first.leadingZeroBitCount),
      last & 1 == 1, exponent.count <= 4, let end = exponent.last, end & 1 == 1, exponent != [1]
    else { return false }
    return true
  }
}
