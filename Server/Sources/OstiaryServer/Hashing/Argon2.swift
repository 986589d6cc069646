internal import CSodium

/// argon2id by libsodium. It blocks its thread: only `HashPool` calls it.
enum Argon2 {
  /// Makes the library ready; any number of times, on any thread.
  static func prepare() throws(ServerError) {
    guard sodium_init() >= 0 else {
      throw ServerError(.hashingFailed, "libsodium can't be used on this machine.", advice: "Install it anew.")
    }
  }

  /// The hash of `password`: all bytes count, also those after a NUL.
  /// - Throws: `hashingFailed` if memory can't be allocated.
  static func hash(_ password: [UInt8], salt: [UInt8], parameters: HashParameters) throws(ServerError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: PasswordHash.outputCount)
    let result = password.withUnsafeBytes { bytes in
      // An empty array may have no address, and libsodium needs one.
      withUnsafeBytes(of: UInt8(0)) { none in
        guard let pointer = (bytes.baseAddress ?? none.baseAddress)?.assumingMemoryBound(to: CChar.self),
          salt.count == PasswordHash.saltCount
        else { return CInt(-1) }
        return crypto_pwhash_argon2id(
          &output, UInt64(output.count), pointer, UInt64(bytes.count), salt,
          UInt64(parameters.iterations), parameters.memoryKiB * 1024, CInt(crypto_pwhash_argon2id_ALG_ARGON2ID13))
      }
    }
    guard result == 0 else {
      throw ServerError(
        .hashingFailed, "A password could not be hashed.", advice: "Give the server more memory.",
        retryAfter: .seconds(1))
    }
    return output
  }

  /// Whether two outputs are equal, in time that does not depend on where they differ.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && sodium_memcmp(one, other, one.count) == 0
  }
}
