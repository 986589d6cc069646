import Foundation
import NIOSSL

/// Turns a ``TLSSource`` into the network library's configuration: TLS 1.2 and later, with the library's secure cipher suites.
enum TLSMaterial {
  /// - Parameter folder: The folder that stores a development authority; nil stores it nowhere.
  /// - Throws: A sentence for the list of configuration problems.
  static func configuration(_ source: TLSSource, folder: URL?) throws(Problem) -> (TLSConfiguration, authority: String?)
  {
    switch source {
    case .files(let certificate, let key):
      guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
        throw Problem("The TLS certificate \(certificate) can't be read as PEM.")
      }
      guard let privateKey = try? NIOSSLPrivateKey(file: key, format: .pem) else {
        throw Problem("The TLS key \(key) can't be read as PEM.")
      }
      return (try checked(chain, privateKey), nil)
    case .developmentAuthority:
      do {
        let made = try folder.map { try DevelopmentAuthority.load(from: $0) } ?? .make()
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(made.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(made.key.utf8), format: .pem)
        return (try checked(chain, key), made.authority)
      } catch let problem as Problem {
        throw problem
      } catch {
        throw Problem("The development certificate can't be made or kept in the data folder.")
      }
    }
  }

  /// Why TLS can't be set up.
  struct Problem: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private static func checked(
    _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey
  ) throws(Problem) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw Problem("The TLS key does not belong to the TLS certificate.")
    }
    return configuration
  }
}
