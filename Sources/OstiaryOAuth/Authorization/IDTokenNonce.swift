internal import Crypto
internal import Foundation
public import OstiaryCore

/// Ties an ID token to the one request that it answers: 256 bits, used once.
///
/// Sign in with Apple's own sheet is given ``sha256``, and puts that into the ID token: then that is what the token must have
/// (``IDTokenExpectation/nonce``).
public struct IDTokenNonce: Sendable, Hashable {
  /// What the request carries.
  public let value: Secret

  /// Makes one that can't be guessed, for one request.
  public init() {
    value = Secret(RandomText.make())
  }

  /// Takes one over that was made elsewhere, such as by another process.
  public init(_ value: Secret) {
    self.value = value
  }

  /// Its SHA-256 in hexadecimal digits.
  public var sha256: String {
    SHA256.hash(data: Data(value.reveal().utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }
}

extension IDTokenExpectation {
  /// What an authorization request asks (OpenID Connect Core §3.1.2.1).
  init(_ nonce: IDTokenNonce, _ parameters: OAuthParameters) {
    self.init(
      nonce: nonce.value,
      maximumAge: parameters["max_age"].flatMap { Double($0) }.flatMap { (0...1e12).contains($0) ? .seconds($0) : nil },
      contextClasses: parameters["acr_values"]?.split(separator: " ").map(String.init) ?? [])
  }
}
