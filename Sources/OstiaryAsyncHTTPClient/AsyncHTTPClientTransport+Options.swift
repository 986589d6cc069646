#if AsyncHTTPClient
  public import Foundation
  internal import NIOSSL
  internal import OstiaryCore

  extension AsyncHTTPClientTransport {
    /// How a transport behaves. There is no option that weakens TLS: to reach a development server, trust its authority.
    public struct Options: Sendable {
      /// How many HTTP/1.1 connections there may be to one origin at once; further requests wait for one.
      public var connectionsPerHost = 32
      /// How long a connection is kept for reuse while nothing uses it.
      public var idleConnectionTimeout: Duration = .seconds(30)
      /// The `User-Agent` of requests that name none themselves; `nil` leaves the field out. Many servers and their
      /// firewalls refuse requests without one.
      public var userAgent: String? = "Ostiary"
      /// Certificate authorities that are trusted besides the system's.
      public var additionalTrustRoots: TrustRoots?

      /// Makes the default options.
      public init() {}
    }

    /// Certificate authorities that a transport trusts in addition to the system's.
    public struct TrustRoots: Sendable {
      let certificates: [NIOSSLCertificate]

      /// Takes the certificates from PEM text, of which there may be several.
      /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when there is none, or one is unreadable.
      public init(pem: Data) throws {
        let certificates: [NIOSSLCertificate]
        do {
          certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem))
        } catch {
          throw OstiaryError(.invalidInput, "The trusted certificates are not readable PEM.", underlying: error)
        }
        guard !certificates.isEmpty else {
          throw OstiaryError(.invalidInput, "There is no certificate in what was to be trusted.")
        }
        self.certificates = certificates
      }

      /// Reads the certificates from a PEM file.
      /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the file or a certificate in it is unreadable.
      public init(pemFile: URL) throws {
        let pem: Data
        do {
          pem = try Data(contentsOf: pemFile)
        } catch {
          throw OstiaryError(
            .invalidInput, "The file of trusted certificates at \(pemFile.path) can't be read.", underlying: error)
        }
        try self.init(pem: pem)
      }
    }
  }
#endif
