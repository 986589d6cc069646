/// How a token is signed (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2).
///
/// A program says which algorithms it allows; a token can't choose one that is not among them.
public struct SignatureAlgorithm: Sendable, Hashable {
  /// The name in headers and metadata, such as `ES256`.
  public let name: String
  let scheme: SignatureScheme

  private init(_ name: String, _ scheme: SignatureScheme) {
    self.name = name
    self.scheme = scheme
  }

  /// ECDSA with P-256 and SHA-256.
  public static let es256 = Self("ES256", .ecdsa(.p256))
  /// ECDSA with P-384 and SHA-384.
  public static let es384 = Self("ES384", .ecdsa(.p384))
  /// ECDSA with P-521 and SHA-512.
  public static let es512 = Self("ES512", .ecdsa(.p521))
  /// RSA (PKCS #1 v1.5) with SHA-256.
  public static let rs256 = Self("RS256", .pkcs1(.sha256))
  /// RSA (PKCS #1 v1.5) with SHA-384.
  public static let rs384 = Self("RS384", .pkcs1(.sha384))
  /// RSA (PKCS #1 v1.5) with SHA-512.
  public static let rs512 = Self("RS512", .pkcs1(.sha512))
  /// RSA (PSS) with SHA-256.
  public static let ps256 = Self("PS256", .pss(.sha256))
  /// RSA (PSS) with SHA-384.
  public static let ps384 = Self("PS384", .pss(.sha384))
  /// RSA (PSS) with SHA-512.
  public static let ps512 = Self("PS512", .pss(.sha512))
  /// Ed25519 under the name of RFC 8037. Keys of other curves have no part in it here.
  public static let edDSA = Self("EdDSA", .ed25519)
  /// Ed25519 under the name of RFC 9864.
  public static let ed25519 = Self("Ed25519", .ed25519)

  /// HMAC with SHA-256: every program that can verify such a token can also make one. For servers that sign with a client's own secret.
  public static let insecureHS256 = Self("HS256", .hmac(.sha256))
  /// HMAC with SHA-384, as ``insecureHS256``.
  public static let insecureHS384 = Self("HS384", .hmac(.sha384))
  /// HMAC with SHA-512, as ``insecureHS256``.
  public static let insecureHS512 = Self("HS512", .hmac(.sha512))

  /// All with a public key. Shared secrets are not among them.
  public static let allPublic: Set<SignatureAlgorithm> = [
    .es256, .es384, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .edDSA, .ed25519,
  ]

  /// The algorithm with a public key of this name, as metadata name it; `nil` for others, which shared secrets are.
  public init?(name: String) {
    guard let algorithm = Self.byName[name] else { return nil }
    self = algorithm
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allPublic.map { ($0.name, $0) })
}

extension SignatureAlgorithm: CustomStringConvertible {
  public var description: String { name }
}
