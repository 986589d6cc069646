public import Foundation

/// https://developer.apple.com/documentation/cryptokit/secureenclave
public enum SecureEnclave {
  public static var isAvailable: Bool { false }

  public enum P256 {
    public enum Signing {
      public struct PrivateKey: Sendable {
        public init() throws {}
        public init(dataRepresentation: Data) throws {}
        public var dataRepresentation: Data { Data() }
        public var publicKey: CryptoKit.P256.Signing.PublicKey { .init() }
        public func signature<D: DataProtocol>(for data: D) throws -> CryptoKit.P256.Signing.ECDSASignature { .init() }
      }
    }
  }
}

/// https://developer.apple.com/documentation/cryptokit/p256
public enum P256 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public var rawRepresentation: Data { Data() }
    }

    public struct ECDSASignature: Sendable {
      public var rawRepresentation: Data { Data() }
    }
  }
}
