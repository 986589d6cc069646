import Crypto
import Foundation
import OstiaryCore

/// A code that is mailed: eight digits (26 bits) from the operating system's generator, good a few times within minutes
/// in the one flow that asked for it. It rests as a keyed hash, whose key is not in the database.
struct FlowCode: Sendable {
  private static let alphabet = Array("0123456789".utf8)

  let secret: Secret

  /// A new code.
  static func make() -> FlowCode {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<FlowForms.codeLength).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
    }
    return FlowCode(secret: Secret(String(decoding: digits, as: UTF8.self)))
  }

  /// What a person typed, without the blanks and hyphens that people put between digits.
  init?(typed text: String) {
    let digits = text.utf8.filter { !($0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")) }
    guard digits.count == FlowForms.codeLength, digits.allSatisfy(Self.alphabet.contains) else { return nil }
    secret = Secret(String(decoding: digits, as: UTF8.self))
  }

  private init(secret: Secret) { self.secret = secret }

  /// The hash of the code for a flow: the same code is another one's for another flow.
  func hash(flow: Data, key: SymmetricKey) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: flow + Data(secret.reveal().utf8), using: key))
  }
}
