import Crypto
import Foundation
import OstiaryPrivateFiles
import SwiftASN1
import X509

/// A certificate authority for one developer's machine. It is made on first use, stored in the data folder (0600), and
/// reused while it is valid. It signs one certificate, for `localhost`, `127.0.0.1` and `::1`. Its own certificate
/// allows no other name (RFC 5280 §4.2.1.10), and its key is discarded after signing: trusting it is no risk for other
/// names.
struct DevelopmentAuthority: Sendable {
  /// The certificate that a client has to trust, as PEM.
  let authority: String
  /// The server's certificate, as PEM.
  let certificate: String
  /// The server's private key, as PEM.
  let key: String

  /// The authority's certificate in the data folder, which a client has to trust.
  static let fileName = "development-authority.pem"
  private static let certificateName = "development-certificate.pem"
  private static let keyName = "development-key.pem"

  /// How long before its end a certificate is replaced.
  private static let margin: TimeInterval = 24 * 3600
  private static let lifetime: TimeInterval = 397 * 24 * 3600

  /// The authority stored in `folder`, or a new one, which is then stored there.
  static func load(from folder: URL, now: Date = Date()) throws -> DevelopmentAuthority {
    if let kept = try? read(folder), isUsable(kept, now: now) {
      // Removes the access of other users, which a copy or a backup may have added.
      try PrivateFile(url: folder.appendingPathComponent(keyName)).create()
      return kept
    }
    let fresh = try make(now: now)
    for (name, text) in [(fileName, fresh.authority), (certificateName, fresh.certificate), (keyName, fresh.key)] {
      try PrivateFile(url: folder.appendingPathComponent(name)).replace(with: Data(text.utf8))
    }
    return fresh
  }

  /// A new authority that is stored nowhere.
  static func make(now: Date = Date()) throws -> DevelopmentAuthority {
    let authorityKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName("Ostiary development authority") }
    let (start, end) = (now.addingTimeInterval(-300), now.addingTimeInterval(lifetime))
    let identifier = SubjectKeyIdentifier(hash: authorityKey.publicKey)
    let authority = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: authorityKey.publicKey, notValidBefore: start,
      notValidAfter: end, issuer: name, subject: name,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
        // No addresses here: BoringSSL, and so every client that uses it, refuses a chain with constraints of that type.
        Critical(NameConstraints(permittedDNSDomains: ["localhost"]))
        identifier
      },
      issuerPrivateKey: authorityKey)
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey, notValidBefore: start, notValidAfter: end,
      issuer: name, subject: try DistinguishedName { CommonName("localhost") },
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([
          .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
          .ipAddress(ASN1OctetString(contentBytes: loopback6[...])),
        ])
        AuthorityKeyIdentifier(keyIdentifier: identifier.keyIdentifier)
        SubjectKeyIdentifier(hash: key.publicKey)
      },
      issuerPrivateKey: authorityKey)
    // The authority's key is discarded here: no other certificate can be signed with it.
    return DevelopmentAuthority(
      authority: try authority.serializeAsPEM().pemString, certificate: try certificate.serializeAsPEM().pemString,
      key: try key.serializeAsPEM().pemString)
  }

  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  private static func read(_ folder: URL) throws -> DevelopmentAuthority {
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return DevelopmentAuthority(
      authority: try text(fileName), certificate: try text(certificateName), key: try text(keyName))
  }

  private static func isUsable(_ kept: DevelopmentAuthority, now: Date) -> Bool {
    guard let authority = try? Certificate(pemEncoded: kept.authority),
      let certificate = try? Certificate(pemEncoded: kept.certificate),
      let key = try? Certificate.PrivateKey(pemEncoded: kept.key)
    else { return false }
    return key.publicKey == certificate.publicKey
      && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
      && certificate.notValidBefore <= now && certificate.notValidAfter > now.addingTimeInterval(margin)
  }
}
