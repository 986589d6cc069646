internal import Crypto
public import Foundation
public import OstiaryCore

/// Makes proofs that this side holds a key (RFC 9449 §4.2), one for each request.
///
/// What is the same in all of them, the header with the public key, is written once.
public struct DPoPProofMaker: Sendable {
  /// What a proof says.
  public struct Statement: Sendable {
    /// The request's method (`htm`).
    public var method: String
    /// The request's address (`htu`); a query and a fragment are left out.
    public var address: String
    /// When the proof is made, by the server's clock as far as it is known (`iat`).
    public var issuedAt: Date
    /// What ``DPoPProofMaker/hash(of:)`` makes of the access token that comes with it (`ath`).
    public var accessTokenHash: String?
    /// What the server gave for it (`nonce`).
    public var nonce: String?

    /// Makes a statement.
    public init(
      method: String, address: String, issuedAt: Date, accessTokenHash: String? = nil, nonce: String? = nil
    ) {
      self.method = method
      self.address = address
      self.issuedAt = issuedAt
      self.accessTokenHash = accessTokenHash
      self.nonce = nonce
    }
  }

  /// The key's public half, which each proof carries.
  public let publicKey: PublicJWK
  /// The key's thumbprint, as in `jkt` and `dpop_jkt`.
  public let thumbprint: String
  /// The header as it is signed, and the point behind it.
  private let start: [UInt8]
  private let sign: @Sendable ([UInt8]) throws -> [UInt8]

  /// Makes proofs with a key.
  /// - Throws: ``JOSEError/Code/keyNotAllowed`` for a shared secret.
  public init(_ key: SigningKey) throws(JOSEError) {
    guard let publicKey = key.publicKey else {
      throw JOSEError(.keyNotAllowed, "A shared secret proves nothing.", source: "RFC 9449 §4.2")
    }
    try self.init(publicKey, key.algorithm) { try key.signature(for: $0) }
  }

  /// Makes proofs with a key that is elsewhere, such as in a device's own hardware.
  /// - Parameters:
  ///   - sign: signs exactly these bytes at once, in the form of RFC 7518 §3.
  /// - Throws: ``JOSEError/Code/keyNotAllowed`` for an algorithm of another kind than the key's.
  public init(
    _ publicKey: PublicJWK, _ algorithm: SignatureAlgorithm, sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
  ) throws(JOSEError) {
    guard algorithm.scheme.family == publicKey.parameters.family else {
      throw JOSEError(.keyNotAllowed, "The key is of another kind than the algorithm's.")
    }
    // Name and algorithm of the key are no part of what identifies it.
    let header: [String: JSONValue] = [
      "typ": "dpop+jwt", "alg": .string(algorithm.name), "jwk": .object(publicKey.parameters.members),
    ]
    guard let json = CompactJSON.object(header) else {
      throw JOSEError(.cannotSign, "The key can't be written in JSON.", source: "RFC 8259 §6")
    }
    var start: [UInt8] = []
    StrictBase64URL.append(json, to: &start)
    start.append(UInt8(ascii: "."))
    self.start = start
    self.publicKey = publicKey
    thumbprint = publicKey.thumbprint
    self.sign = sign
  }

  /// What a proof says of an access token (RFC 9449 §4.2): the same for all proofs that come with it.
  public static func hash(of accessToken: Secret) -> String {
    StrictBase64URL.encode([UInt8](SHA256.hash(data: Data(accessToken.reveal().utf8))))
  }

  /// Makes a proof, with a name that no other has.
  /// - Throws: what the key throws that can't sign.
  public func proof(_ statement: Statement) throws -> String {
    let claims = Self.claims(statement)
    var proof: [UInt8] = []
    proof.reserveCapacity(start.count + claims.count * 4 / 3 + 96)
    proof += start
    StrictBase64URL.append(claims, to: &proof)
    let signature = try sign(proof)
    proof.append(UInt8(ascii: "."))
    StrictBase64URL.append(signature, to: &proof)
    return String(decoding: proof, as: UTF8.self)
  }

  /// The claims in JSON: by hand, for Foundation's encoder takes longer than the signature.
  private static func claims(_ statement: Statement) -> [UInt8] {
    let address = statement.address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let seconds = statement.issuedAt.timeIntervalSince1970
    var claims: [UInt8] = []
    claims.reserveCapacity(
      160 + statement.method.utf8.count + address.count + (statement.nonce?.utf8.count ?? 0))
    claims += jtiName
    claims += RandomID.bytes()
    claims += methodName
    CompactJSON.append(statement.method, to: &claims)
    claims += addressName
    CompactJSON.append(
      address.count == statement.address.utf8.count ? statement.address : String(Substring(address)), to: &claims)
    claims += timeName
    claims += String(seconds.isFinite ? Int64(min(max(seconds, 0), latest)) : 0).utf8
    if let hash = statement.accessTokenHash {
      claims += hashName
      CompactJSON.append(hash, to: &claims)
    }
    if let nonce = statement.nonce {
      claims += nonceName
      CompactJSON.append(nonce, to: &claims)
    }
    claims.append(UInt8(ascii: "}"))
    return claims
  }

  /// The last second that a date can say (9999).
  private static let latest: TimeInterval = 253_402_300_799
  private static let jtiName = [UInt8]("{\"jti\":\"".utf8)
  private static let methodName = [UInt8]("\",\"htm\":".utf8)
  private static let addressName = [UInt8](",\"htu\":".utf8)
  private static let timeName = [UInt8](",\"iat\":".utf8)
  private static let hashName = [UInt8](",\"ath\":".utf8)
  private static let nonceName = [UInt8](",\"nonce\":".utf8)
}

extension DPoPProofMaker: Redacted {
  public var description: String { "DPoPProofMaker(\(thumbprint))" }
}
