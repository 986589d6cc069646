internal import Crypto
import Foundation
internal import OstiaryCore

/// The parts of a refresh token's text: the prefix, then 72 characters of base64url.
///
/// - 16 bytes, the *handle*, are the same for the whole family. They find the family of a token that was spent long ago
///   and is no longer stored.
/// - 32 bytes are the token's own.
/// - 6 bytes are a checksum over the whole text, prefix included: a damaged text is no token, and is not taken for a
///   spent one.
struct RefreshTokenText: Sendable {
  let prefix: String
  let handle: [UInt8]
  /// The whole text.
  let text: String
  private let random: [UInt8]

  private static let handleLength = 16
  private static let randomLength = 32
  private static let checksumLength = 6
  private static let bodyLength = 72

  /// The first token of a new family.
  static func makeFirst(prefix: String) -> RefreshTokenText {
    RefreshTokenText(
      prefix: prefix, handle: RandomBytes.make(handleLength), random: RandomBytes.make(randomLength))
  }

  private init(prefix: String, handle: [UInt8], random: [UInt8]) {
    self.prefix = prefix
    self.handle = handle
    self.random = random
    let checksum = SHA256.hash(data: Data(prefix.utf8) + handle + random).prefix(Self.checksumLength)
    text = prefix + (handle + random + checksum).base64URL
  }

  /// Reads a text that a client has sent; nil if the server can't have issued it.
  init?(_ presented: Secret) {
    let text = presented.reveal()
    guard text.utf8.count >= Self.bodyLength, text.utf8.count <= TokenHash.longestText,
      let bytes = String(text.utf8.suffix(Self.bodyLength))?.decodedBase64URL,
      let prefix = String(text.utf8.dropLast(Self.bodyLength)),
      bytes.count == Self.handleLength + Self.randomLength + Self.checksumLength
    else { return nil }
    self.init(
      prefix: prefix, handle: Array(bytes.prefix(Self.handleLength)),
      random: Array(bytes.dropFirst(Self.handleLength).prefix(Self.randomLength)))
    guard self.text == text else { return nil }
  }

  var hash: TokenHash { TokenHash(text) }
  var handleHash: TokenHash { TokenHash(handle) }

  /// The token that follows this one. It can be derived only from this token and the salt together. The server stores
  /// the salt while it may have to repeat the answer, and never the token.
  func successor(salt: Data) -> RefreshTokenText {
    RefreshTokenText(prefix: prefix, handle: handle, random: derive("refresh", salt))
  }

  /// The text of the access token that is issued with the successor.
  func accessToken(salt: Data, prefix: String) -> String {
    prefix + derive("access", salt).base64URL
  }

  private func derive(_ use: String, _ salt: Data) -> [UInt8] {
    Array(
      HMAC<SHA256>.authenticationCode(
        for: Data("ostiary.token.successor.\(use).".utf8) + handle + salt, using: SymmetricKey(data: random)))
  }
}

/// The key by which a token or code is found: the SHA-256 of its text. Texts are random enough to need no salt.
struct TokenHash: Hashable, Sendable {
  let data: Data

  init(_ text: String) {
    data = Data(SHA256.hash(data: Data(text.utf8)))
  }

  init(_ bytes: some Sequence<UInt8>) {
    data = Data(SHA256.hash(data: Data(bytes)))
  }

  /// The longest token or code of the server; a longer text isn't hashed.
  static let longestText = 256

  /// The hash of a text that a client has sent; nil if it can't be a token.
  init?(presented text: Secret) {
    let text = text.reveal()
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
    self.init(text)
  }

  /// A new text with 256 random bits, after its prefix.
  static func newText(prefix: String) -> String { prefix + RandomBytes.make(32).base64URL }
}
