import Crypto
import Foundation
import OstiaryCore

/// A code that is mailed: eight of 32 letters and digits (40 bits). It is valid for a few attempts within minutes, in
/// the one browser that asked for it.
///
/// It is derived from the flow and the time with a key that is not in the database: the same code can be mailed again while it is
/// valid. The database has a keyed hash of it. The letters are Crockford's (<https://www.crockford.com/base32.html>): no two look
/// alike, and a typed look-alike is read as the letter.
struct FlowCode: Sendable {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// The bits of a letter.
  private static let width = 5
  /// The bits of a code: the chance of one guess is one in 2 to this power.
  static let bits = width * FlowForms.codeLength

  let secret: Secret

  /// The code of a flow, valid until a time.
  static func make(flow: Data, until end: Date, key: SymmetricKey) -> FlowCode {
    let time = Int64((end.timeIntervalSince1970 * 1000).rounded())
    let text = Data("ostiary.code.\(time).".utf8) + flow
    let bytes = Array(HMAC<SHA256>.authenticationCode(for: text, using: key)).prefix(FlowForms.codeLength)
    // There are 32 letters: the remainder of an evenly distributed byte is evenly distributed.
    return FlowCode(letters: bytes.map { alphabet[Int($0) % alphabet.count] })
  }

  /// The code that a person typed, without the blanks and hyphens that people put between groups, in plain or in wide
  /// letters.
  init?(typed text: String) {
    guard text.utf8.count <= 64 else { return nil }
    var letters: [UInt8] = []
    let plain = NameText.withoutPadding(text).precomposedStringWithCompatibilityMapping
    for byte in plain.utf8 where !(byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")) {
      switch byte {
      case UInt8(ascii: "O"), UInt8(ascii: "o"): letters.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "L"), UInt8(ascii: "l"): letters.append(UInt8(ascii: "1"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte - 0x20)
      default: letters.append(byte)
      }
    }
    guard letters.count == FlowForms.codeLength, letters.allSatisfy(Self.alphabet.contains) else { return nil }
    self.init(letters: letters)
  }

  private init(letters: [UInt8]) { secret = Secret(String(decoding: letters, as: UTF8.self)) }

  /// The hash of the code for a flow: the same code has another hash in another flow.
  func hash(flow: Data, key: SymmetricKey) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: flow + Data(secret.reveal().utf8), using: key))
  }

  /// Whether it is the code of a flow.
  /// - Parameter stored: the hash of the flow's code; nil if no code is right.
  func isRight(
    _ stored: Data?, flow: Data, key: SymmetricKey, _ permit: borrowing GuessPermit<MailedCodeGuess>
  ) -> Bool {
    let hash = hash(flow: flow, key: key)
    return stored.map { ConstantTime.isEqual($0, hash) } ?? false
  }
}
