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
