internal import Crypto
public import Foundation
public import OstiaryCore

/// A public key as JSON (RFC 7517): an elliptic curve's, an RSA key of 2048 to 8192 bits, or an Ed25519 key.
///
/// Members that are not understood are left out, certificates (`x5c`) and addresses (`x5u`) among them. A private key is refused, as
/// one that was published is no secret any more, and so is a shared secret (`oct`).
public struct PublicJWK: Sendable, Hashable {
  /// What makes the key, in bytes that have one text only.
  enum Parameters: Sendable, Hashable {
    case ec(EllipticCurve, x: [UInt8], y: [UInt8])
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ed25519([UInt8])
  }

  let parameters: Parameters
  /// The name by which tokens mean this key (`kid`).
  public let id: String?
  /// The only algorithm that the key is for (`alg`); `nil` allows each of its kind.
  public let algorithm: SignatureAlgorithm?
  /// Whose tokens the key is for, in a set of several issuers' keys that says so (`issuer`).
  package private(set) var issuer: String?

  init(_ parameters: Parameters, id: String?, algorithm: SignatureAlgorithm?) {
    self.parameters = parameters
    self.id = id
    self.algorithm = algorithm
  }

  /// Reads a key.
  /// - Parameter json: one JSON object.
  /// - Throws: ``JOSEError/Code/unusableKey``, ``JOSEError/Code/keyNotAllowed`` for a key that is not for signatures,
  ///   ``JOSEError/Code/malformed`` or ``JOSEError/Code/repeatedMember``.
  public init(json: Data) throws(JOSEError) {
    guard json.count <= 1 << 16 else {
      throw JOSEError(.tooLarge, "The key is longer than 64 KiB.")
    }
    try self.init(members: JOSEObject.read([UInt8](json), "The key", source: "RFC 7517 §4"))
  }

  /// Takes the members of a key's JSON object.
  /// - Throws: as ``init(json:)``.
  public init(members: [String: JSONValue]) throws(JOSEError) {
    guard Self.privateMembers.isDisjoint(with: members.keys) else {
      throw JOSEError(.unusableKey, "The key has private members, or is a shared secret.", source: "RFC 7517 §9.2")
    }
    parameters = try Self.parameters(members)
    id = try members.text("kid", "RFC 7517 §4.5")
    issuer = members["issuer"]?.string
    if let use = try members.text("use", "RFC 7517 §4.2"), use != "sig" {
      throw JOSEError(.keyNotAllowed, "The key is not for signatures.", source: "RFC 7517 §4.2")
    }
    if let operations = members["key_ops"] {
      guard let operations = operations.array, operations.contains(.string("verify")) else {
        throw JOSEError(.keyNotAllowed, "The key is not for verifying.", source: "RFC 7517 §4.3")
      }
    }
    guard let name = try members.text("alg", "RFC 7517 §4.4") else {
      algorithm = nil
      return
    }
    guard let algorithm = SignatureAlgorithm(name: name), algorithm.scheme.family == parameters.family else {
      throw JOSEError(
        .keyNotAllowed, "The key is for an algorithm that it can't be used for here.", source: "RFC 7517 §4.4")
    }
    self.algorithm = algorithm
  }

  private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  private static func parameters(_ members: [String: JSONValue]) throws(JOSEError) -> Parameters {
    switch members["kty"]?.string {
    case "EC":
      guard let curve = members["crv"]?.string.flatMap(EllipticCurve.init) else {
        throw JOSEError(.unusableKey, "The key is of a curve that is not supported.", source: "RFC 7518 §6.2.1.1")
      }
      return .ec(
        curve, x: try coordinate("x", of: members, curve.coordinateBytes),
        y: try coordinate("y", of: members, curve.coordinateBytes))
    case "RSA":
      return .rsa(modulus: try number("n", of: members), exponent: try number("e", of: members))
    case "OKP":
      guard members["crv"]?.string == "Ed25519" else {
        throw JOSEError(.unusableKey, "The key is of a curve that is not supported.", source: "RFC 8037 §2")
      }
      return .ed25519(try coordinate("x", of: members, 32))
    default: throw JOSEError(.unusableKey, "The key is of a kind that is not supported.", source: "RFC 7517 §4.1")
    }
  }

  /// Exactly so many bytes: with zeros left out, a key would have several texts, and thumbprints.
  private static func coordinate(
    _ name: String, of members: [String: JSONValue], _ count: Int
  ) throws(JOSEError) -> [UInt8] {
    guard let bytes = members[name]?.string.flatMap({ StrictBase64URL.decode($0) }), bytes.count == count else {
      throw JOSEError(
        .unusableKey, "A coordinate of the key is missing or not of its length.", source: "RFC 7518 §6.2.1.2")
    }
    return bytes
  }

  /// A number without zeros before it.
  private static func number(_ name: String, of members: [String: JSONValue]) throws(JOSEError) -> [UInt8] {
    guard let bytes = members[name]?.string.flatMap({ StrictBase64URL.decode($0) }), let first = bytes.first, first != 0
    else {
      throw JOSEError(.unusableKey, "A number of the key is missing or begins with zeros.", source: "RFC 7518 §6.3.1")
    }
    return bytes
  }
}

extension PublicJWK.Parameters {
  var family: KeyFamily {
    switch self {
    case .ec(let curve, _, _): .ec(curve)
    case .rsa: .rsa
    case .ed25519: .ed25519
    }
  }

  /// What the key is made of, as JSON (RFC 7638 §3.2): nothing more is in a thumbprint.
  var members: [String: JSONValue] {
    switch self {
    case .ec(let curve, let x, let y):
      [
        "kty": "EC", "crv": .string(curve.rawValue), "x": .string(StrictBase64URL.encode(x)),
        "y": .string(StrictBase64URL.encode(y)),
      ]
    case .rsa(let modulus, let exponent):
      [
        "kty": "RSA", "n": .string(StrictBase64URL.encode(modulus)),
        "e": .string(StrictBase64URL.encode(exponent)),
      ]
    case .ed25519(let x): ["kty": "OKP", "crv": "Ed25519", "x": .string(StrictBase64URL.encode(x))]
    }
  }
}

extension PublicJWK {
  /// The key as JSON, with its name and algorithm if it has them.
  public var members: [String: JSONValue] {
    var members = parameters.members
    members["kid"] = id.map(JSONValue.string)
    members["alg"] = (algorithm?.name).map(JSONValue.string)
    members["issuer"] = issuer.map(JSONValue.string)
    return members
  }

  /// The key's thumbprint with SHA-256, in base64url (RFC 7638): the same for each text of the key, with every name.
  public var thumbprint: String {
    // The members are texts, which JSON can say; they are written without blanks and in order, as RFC 7638 §3 wants.
    StrictBase64URL.encode(SHA256.hash(data: CompactJSON.object(parameters.members) ?? []).map { $0 })
  }
}
