internal import Crypto
import Foundation
internal import OstiaryCore

/// What a token or code is found by: the SHA-256 of its text. Texts are random enough to need no salt.
struct TokenHash: Hashable, Sendable {
  let data: Data

  init(_ text: String) {
    data = Data(SHA256.hash(data: Data(text.utf8)))
  }

  init(_ bytes: some Sequence<UInt8>) {
    data = Data(SHA256.hash(data: Data(bytes)))
  }

  /// No token or code of the server's is longer; what is isn't hashed.
  static let longestText = 256

  /// The hash of what a client has sent; nothing if it can't be a token.
  init?(presented text: Secret) {
    let text = text.reveal()
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
    self.init(text)
  }

  /// A new text with 256 random bits, after its prefix.
  static func newText(prefix: String) -> String { prefix + RandomBytes.make(32).base64URL }
}
