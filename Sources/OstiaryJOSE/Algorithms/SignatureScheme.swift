/// What an algorithm does. Two names may mean the same.
enum SignatureScheme: Sendable, Hashable {
  case ecdsa(EllipticCurve)
  case pkcs1(HashKind)
  case pss(HashKind)
  case ed25519
  case hmac(HashKind)

  /// The kind of key that it takes.
  var family: KeyFamily {
    switch self {
    case .ecdsa(let curve): .ec(curve)
    case .pkcs1, .pss: .rsa
    case .ed25519: .ed25519
    case .hmac: .secret
    }
  }
}

/// The curves of RFC 7518 §6.2.1.1.
enum EllipticCurve: String, Sendable, Hashable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  /// How many bytes each coordinate has (RFC 7518 §6.2.1.2).
  var coordinateBytes: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}

/// The hash functions of RFC 7518.
enum HashKind: Sendable, Hashable {
  case sha256
  case sha384
  case sha512

  var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}

/// A kind of key. A key of one kind is never used as one of another.
enum KeyFamily: Sendable, Hashable {
  case ec(EllipticCurve)
  case rsa
  case ed25519
  case secret
}
