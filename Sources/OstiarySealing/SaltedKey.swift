internal import Foundation
internal import OstiaryCore

/// How one key is derived from a passphrase, and which key it has to be.
///
/// As text, a line: `scrypt <log2 of the rounds> <block size> <parallelism> <salt in Base64> <identifier of the key>`.
struct SaltedKey: Sendable, Hashable {
  let cost: ScryptCost
  let salt: Data
  let id: SealingKey.ID

  /// Reads the lines of a file. Lines that begin with `#` are for people.
  static func parse(_ text: Data) throws(OstiaryError) -> [SaltedKey] {
    var entries: [SaltedKey] = []
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard entries.count < 100, let entry = SaltedKey(line: line) else {
        throw OstiaryError(
          .storeUnavailable, "The file of salts can't be read: line \(number + 1) is damaged.",
          advice: "Bring it back from where it was saved; without it the passphrase opens nothing.")
      }
      entries.append(entry)
    }
    return entries
  }

  /// The lines of a file, the current key's first.
  static func text(_ entries: [SaltedKey]) -> Data {
    let lines = entries.map { entry in
      "scrypt \(entry.cost.log2Rounds) \(entry.cost.blockSize) \(entry.cost.parallelism) "
        + "\(entry.salt.base64EncodedString()) \(entry.id)"
    }
    let heading = "# How the keys of Ostiary's sealed sessions come from a passphrase, the current one first."
    return Data((([heading] + lines).joined(separator: "\n") + "\n").utf8)
  }

  init(cost: ScryptCost, salt: Data, id: SealingKey.ID) {
    self.cost = cost
    self.salt = salt
    self.id = id
  }

  private init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 6, words[0] == "scrypt", let rounds = Int(words[1]), let blockSize = Int(words[2]),
      let parallelism = Int(words[3]),
      let cost = ScryptCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism),
      let salt = Data(base64Encoded: String(words[4])), salt.count >= 16,
      let id = SealingKey.ID(hexadecimal: words[5])
    else { return nil }
    self.init(cost: cost, salt: salt, id: id)
  }
}

extension SealingKey.ID {
  /// Reads what ``description`` says.
  init?(hexadecimal text: some StringProtocol) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt64(text, radix: 16)
    else { return nil }
    self.init(withUnsafeBytes(of: number.bigEndian) { Data($0) })
  }
}
