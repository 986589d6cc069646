internal import Crypto
internal import Foundation
public import OstiaryCore

/// A proof that the client that exchanges a code is the one that asked for it (RFC 7636). The method is always `S256`;
/// there is no `plain`.
public struct PKCE: Sendable, Hashable {
  /// What is shown with the code: 43 to 128 unreserved characters (RFC 7636 §4.1).
  public let verifier: Secret

  /// Makes one that can't be guessed, for one authorization.
  public init() {
    verifier = Secret(RandomText.make())
  }

  /// Takes over a verifier, such as one that another process made.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when it is not 43 to 128 letters, digits and `-._~`.
  public init(verifier: Secret) throws {
    let bytes = verifier.reveal().utf8
    let isFine = bytes.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._~".utf8.contains($0)
      }
    }
    guard (43...128).contains(bytes.count), isFine else {
      throw OstiaryError.invalidOAuthInput(
        "A code verifier has 43 to 128 letters, digits and -._~ characters.", "Let PKCE() make one.")
    }
    self.verifier = verifier
  }

  /// What the authorization request carries: `BASE64URL(SHA256(verifier))` (RFC 7636 §4.2).
  public var challenge: String {
    Base64URL.encode(Data(SHA256.hash(data: Data(verifier.reveal().utf8))))
  }
}

/// Text that can't be guessed.
enum RandomText {
  /// 256 random bits as 43 characters of base64url (RFC 7636 §4.1 recommends so many).
  static func make() -> String {
    SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode(Data($0)) }
  }

  /// Whether two texts are the same, in a time that does not depend on where they differ.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    // Hashes are of one length, so that the length shows as little as the content.
    let (one, other) = (Array(SHA256.hash(data: Data(one.utf8))), Array(SHA256.hash(data: Data(other.utf8))))
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
