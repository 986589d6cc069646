internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import OstiaryCore

/// Private keys as texts.
extension PrivateKeyMaterial {
  /// Reads PEM of one kind of key.
  init(pem: String, _ family: KeyFamily) throws(JOSEError) {
    do {
      switch family {
      case .ec(.p256): self = .p256(try P256.Signing.PrivateKey(pemRepresentation: pem))
      case .ec(.p384): self = .p384(try P384.Signing.PrivateKey(pemRepresentation: pem))
      case .ec(.p521): self = .p521(try P521.Signing.PrivateKey(pemRepresentation: pem))
      case .rsa: self = .rsa(try Self.checked(_RSA.Signing.PrivateKey(pemRepresentation: pem)))
      case .ed25519:
        guard let bytes = PublicPEM.block(pem, labels: ["PRIVATE KEY"]), bytes.starts(with: Self.ed25519Start),
          bytes.count == Self.ed25519Start.count + 32
        else { throw Mismatch() }
        // A version 2 of the form, which has the public key too (RFC 8410 §7), begins in another way, and is not read.
        let seed = bytes.dropFirst(Self.ed25519Start.count)
        self = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](seed)))
      case .secret: throw Mismatch()
      }
    } catch let error as JOSEError {
      throw error
    } catch {
      throw JOSEError(.unusableKey, "The text is no private key in PEM of the algorithm's kind.", source: "RFC 5958 §2")
    }
  }

  /// Takes the members of a key's JSON object.
  init(_ members: [String: JSONValue]) throws(JOSEError) {
    var publicMembers = members
    for name in ["d", "p", "q", "dp", "dq", "qi"] { publicMembers[name] = nil }
    for name in ["alg", "use", "key_ops"] { publicMembers[name] = nil }
    let parameters = try PublicJWK(members: publicMembers).parameters
    do {
      switch parameters {
      case .ec(.p256, _, _): self = .p256(try P256.Signing.PrivateKey(rawRepresentation: Self.bytes("d", of: members)))
      case .ec(.p384, _, _): self = .p384(try P384.Signing.PrivateKey(rawRepresentation: Self.bytes("d", of: members)))
      case .ec(.p521, _, _): self = .p521(try P521.Signing.PrivateKey(rawRepresentation: Self.bytes("d", of: members)))
      case .ed25519:
        self = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: Self.bytes("d", of: members)))
      case .rsa(let modulus, let exponent):
        guard RSANumbers.areUsable(modulus: modulus, exponent: exponent) else { throw RSANumbers.unusable }
        self = .rsa(
          try _RSA.Signing.PrivateKey(
            n: modulus, e: exponent, d: Self.bytes("d", of: members), p: Self.bytes("p", of: members),
            q: Self.bytes("q", of: members)))
      }
    } catch let error as JOSEError {
      throw error
    } catch {
      throw JOSEError(.unusableKey, "The numbers of the private key make no key.", source: "RFC 7518 §6")
    }
    // A key with another's public half would sign what its own public key does not verify.
    guard publicParameters == parameters else {
      throw JOSEError(.unusableKey, "The private key does not belong to its public half.", source: "RFC 7518 §6")
    }
  }

  private static func bytes(_ name: String, of members: [String: JSONValue]) throws -> [UInt8] {
    guard let bytes = members[name]?.string.flatMap({ StrictBase64URL.decode($0) }) else { throw Mismatch() }
    return bytes
  }

  private static func checked(_ key: _RSA.Signing.PrivateKey) throws -> _RSA.Signing.PrivateKey {
    guard case .rsa(let modulus, let exponent) = PublicPEM.rsa(try key.publicKey.getKeyPrimitives()),
      RSANumbers.areUsable(modulus: modulus, exponent: exponent)
    else { throw RSANumbers.unusable }
    return key
  }

  /// The key in PEM (PKCS #8, of RSA PKCS #1); `nil` for a shared secret.
  var pem: String? {
    switch self {
    case .p256(let key): key.pemRepresentation
    case .p384(let key): key.pemRepresentation
    case .p521(let key): key.pemRepresentation
    case .rsa(let key): key.pemRepresentation
    case .ed25519(let key):
      "-----BEGIN PRIVATE KEY-----\n\((Data(Self.ed25519Start) + key.rawRepresentation).base64EncodedString())\n"
        + "-----END PRIVATE KEY-----\n"
    case .secret: nil
    }
  }

  /// What stands before the 32 bytes of an Ed25519 key (RFC 8410 §7).
  private static let ed25519Start: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]
}
