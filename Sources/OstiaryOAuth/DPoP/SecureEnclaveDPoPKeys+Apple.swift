#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation
  public import OstiaryCore
  internal import OstiaryJOSE

  /// Keys (ES256) in the device's Secure Enclave. They never leave it: a session keeps what only this device's own enclave can read, and a
  /// copy of it is of no use elsewhere.
  ///
  /// ```swift
  /// client.dpop = DPoP(keys: SecureEnclaveDPoPKeys.isAvailable ? SecureEnclaveDPoPKeys() : SoftwareDPoPKeys())
  /// ```
  public struct SecureEnclaveDPoPKeys: DPoPKeySource {
    /// Whether this device has one.
    public static var isAvailable: Bool { SecureEnclave.isAvailable }

    /// Makes a source.
    public init() {}

    public func makeKey() throws -> DPoPKey {
      do {
        return try Self.key(SecureEnclave.P256.Signing.PrivateKey())
      } catch {
        throw OstiaryError.proofKeyUnavailable("The device made no key.", underlying: error)
      }
    }

    public func key(storedAs text: Secret) throws -> DPoPKey {
      let parts = text.reveal().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard text.isEmpty || parts.first == Self.mark else { throw OstiaryError.proofKeyOfAnotherSource }
      guard parts.count == 2, let bytes = StrictBase64URL.decode(parts[1]) else {
        throw OstiaryError.proofKeyLost(
          "The key that the session's tokens are bound to is damaged, or is none of a device's own.")
      }
      do {
        return try Self.key(SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(bytes)))
      } catch {
        // TKError's corruptedData and objectNotFound: another device's, or damaged. Every other error may pass.
        guard error._domain == "CryptoTokenKit", [-3, -6].contains(error._code) else {
          throw OstiaryError.proofKeyUnavailable("The device can't read the session's key now.", underlying: error)
        }
        throw OstiaryError.proofKeyLost(
          "The key that the session's tokens are bound to is of another device.", underlying: error)
      }
    }

    private static let mark = "enclave"

    private static func key(_ key: SecureEnclave.P256.Signing.PrivateKey) throws -> DPoPKey {
      let point = key.publicKey.rawRepresentation
      let publicKey = try PublicJWK(members: [
        "kty": "EC", "crv": "P-256", "x": .string(StrictBase64URL.encode([UInt8](point.prefix(32)))),
        "y": .string(StrictBase64URL.encode([UInt8](point.suffix(32)))),
      ])
      let maker = try DPoPProofMaker(publicKey, .es256) { message in
        [UInt8](try key.signature(for: Data(message)).rawRepresentation)
      }
      let text = mark + ":" + StrictBase64URL.encode([UInt8](key.dataRepresentation))
      return DPoPKey(maker, stored: Secret(text))
    }
  }
#endif
