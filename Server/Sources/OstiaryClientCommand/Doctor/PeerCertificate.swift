internal import Foundation
internal import NIOSSL
internal import SwiftASN1
internal import X509

/// What a server's certificate says, as far as people ask.
struct PeerCertificate: Sendable, Equatable {
  /// The name of the authority that gave it.
  let issuer: String?
  /// The names and addresses of the servers that it is for.
  let names: [String]
  let validFrom: Date
  let validUntil: Date

  init(issuer: String?, names: [String], validFrom: Date, validUntil: Date) {
    (self.issuer, self.names, self.validFrom, self.validUntil) = (issuer, names, validFrom, validUntil)
  }

  /// - Returns: `nil` for what is no certificate.
  init?(_ certificate: NIOSSLCertificate) {
    guard let bytes = try? certificate.toDERBytes(), let parsed = try? Certificate(derEncoded: bytes) else {
      return nil
    }
    issuer = Self.name(parsed.issuer)
    let alternatives = try? parsed.extensions.subjectAlternativeNames
    let names = alternatives?.compactMap { name -> String? in
      switch name {
      case .dnsName(let name): name
      case .ipAddress(let address): NameLookup.text(ofAddress: Array(address.bytes))
      default: nil
      }
    }
    // An old certificate has its one name in the subject.
    self.names = names ?? [Self.name(parsed.subject)].compactMap { $0 }
    validFrom = parsed.notValidBefore
    validUntil = parsed.notValidAfter
  }

  /// The most particular name that people know: the common name, or the organisation.
  private static func name(_ name: DistinguishedName) -> String? {
    let attributes = name.flatMap { Array($0) }
    let types: [ASN1ObjectIdentifier] = [.NameAttributes.commonName, .NameAttributes.organizationName]
    for type in types {
      if let found = attributes.last(where: { $0.type == type }) { return "\(found.value)" }
    }
    return nil
  }
}
