import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

/// A server that makes TLS handshakes with a certificate of the test's choice, and answers nothing.
final class CertifiedServer: Sendable {
  /// What its certificate says.
  struct Certificates: Sendable {
    var names = ["localhost"]
    var from: TimeInterval = -3600
    var until: TimeInterval = 100 * 86_400
  }

  /// The authority's certificate, as PEM.
  let authority: String
  let port: Int
  private let channel: any Channel

  init(_ certificates: Certificates = Certificates()) async throws {
    let authorityKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName("A test's authority") }
    let authority = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: authorityKey.publicKey,
      notValidBefore: Date(timeIntervalSinceNow: -86_400 * 400),
      notValidAfter: Date(timeIntervalSinceNow: 86_400 * 400),
      issuer: name, subject: name,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
      },
      issuerPrivateKey: authorityKey)
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSinceNow: certificates.from),
      notValidAfter: Date(timeIntervalSinceNow: certificates.until), issuer: name,
      subject: try DistinguishedName { CommonName(certificates.names.first ?? "none") },
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(certificates.names.map { .dnsName($0) })
      },
      issuerPrivateKey: authorityKey)
    self.authority = try authority.serializeAsPEM().pemString
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(try certificate.serializeAsPEM().pemString.utf8))
    let own = try NIOSSLPrivateKey(bytes: Array(try key.serializeAsPEM().pemString.utf8), format: .pem)
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(own)))
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  func stop() async { try? await channel.close() }
}
