import Crypto
import Foundation
import OstiaryCore

/// A session token: 60 letters and digits, more than 350 random bits.
///
/// The id of the server's session is derived from it, one-way: a token is no proof at another door, and another door's
/// proof is no token.
struct NewzuluToken: Sendable {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  private static let length = 60

  /// The text that the client presents.
  let token: Secret

  /// A new one.
  static func make() -> NewzuluToken {
    var generator = SystemRandomNumberGenerator()
    return NewzuluToken(
      unchecked: String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) }))
  }

  /// The text that a client sent; nil if it can't be a token.
  init?(_ text: String) {
    guard text.utf8.count == Self.length else { return nil }
    self.init(unchecked: text)
  }

  private init(unchecked text: String) {
    token = Secret(text)
  }

  /// The id of its session.
  var sessionID: Secret {
    Secret(SHA256.hash(data: Data(("ostiary.newzulu.session." + token.reveal()).utf8)).base64URL)
  }
}
