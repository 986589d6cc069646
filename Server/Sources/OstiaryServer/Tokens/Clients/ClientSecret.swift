import Foundation
internal import OstiaryCore

/// The rules for a client's secret.
enum ClientSecret {
  /// A secret with fewer bits could be found by trial, because the hash is fast (ASVS 5 §11.2.3, §6.5.2).
  private static let leastBits = 112.0
  private static let longest = 1024

  /// A new one: 256 random bits.
  static func make() -> Secret { Secret(TokenHash.newText(prefix: "ost_cs_")) }

  /// The hash to store.
  /// - Throws: `clientSecretTooWeak` for a secret that can't have 112 random bits: its length and its letters give an
  ///   upper bound.
  static func hash(_ secret: Secret) throws(ServerError) -> TokenHash {
    let text = secret.reveal()
    guard text.utf8.count <= longest, bits(text) >= leastBits else {
      throw ServerError(
        .clientSecretTooWeak, "A client's secret must have at least 112 random bits.",
        advice: "Let the server make one.")
    }
    return TokenHash(text)
  }

  /// The hash of a text that a client presents; nil if it can't be a secret.
  static func hash(presented secret: Secret) -> TokenHash? {
    let text = secret.reveal()
    return text.utf8.count <= longest ? TokenHash(text) : nil
  }

  private static func bits(_ text: String) -> Double {
    let characters = text.utf8.map { Character(UnicodeScalar($0)) }
    // Random texts rarely have so few different letters.
    guard Set(characters).count >= 8 else { return 0 }
    let isHex = characters.allSatisfy(\.isHexDigit) && !characters.allSatisfy(\.isNumber)
    var letters = 0.0
    if characters.contains(where: \.isNumber) { letters += 10 }
    if characters.contains(where: \.isLowercase) { letters += 26 }
    if characters.contains(where: \.isUppercase) { letters += 26 }
    if characters.contains(where: { !$0.isNumber && !$0.isLetter }) { letters += 10 }
    return Double(characters.count) * Foundation.log2(isHex ? 16 : max(letters, 1))
  }
}
