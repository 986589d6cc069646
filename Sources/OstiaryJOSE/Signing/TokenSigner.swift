public import OstiaryCore

/// Signs with a key that may be elsewhere: in a keychain, in a hardware module, with a service.
///
/// It must answer with the signature of exactly these bytes, in the form of RFC 7518 §3 (for elliptic curves the two numbers, not DER). It must
/// not log them.
public protocol TokenSigner: Sendable {
  /// What it signs with.
  var algorithm: SignatureAlgorithm { get }
  /// The name by which tokens mean its key (`kid`), if it has one.
  var keyID: String? { get }
  /// Signs a message.
  func signature(for message: [UInt8]) async throws -> [UInt8]
}

extension TokenSigner {
  /// A signed token (RFC 7519 §7.1).
  /// - Parameters:
  ///   - claims: what it says.
  ///   - type: what kind it is (`typ`).
  ///   - header: more members of the header. `alg`, `kid` and `typ` are the signer's and the caller's own.
  /// - Throws: ``JOSEError/Code/cannotSign`` for a number that JSON can't say, and what the signer throws.
  public func signedToken(
    _ claims: [String: JSONValue], type: String? = "JWT", header: [String: JSONValue] = [:]
  ) async throws -> Secret {
    let draft = try TokenDraft(claims, type: type, header: header, algorithm, keyID)
    return draft.finished(try await signature(for: draft.message))
  }
}

extension SigningKey: TokenSigner {
  /// A signed token (RFC 7519 §7.1).
  /// - Parameters:
  ///   - claims: what it says.
  ///   - type: what kind it is (`typ`).
  ///   - header: more members of the header. `alg`, `kid` and `typ` are the key's and the caller's own.
  /// - Throws: ``JOSEError/Code/cannotSign``.
  public func sign(
    _ claims: [String: JSONValue], type: String? = "JWT", header: [String: JSONValue] = [:]
  ) throws(JOSEError) -> Secret {
    let draft = try TokenDraft(claims, type: type, header: header, algorithm, keyID)
    return draft.finished(try signature(for: draft.message))
  }
}

/// A token before it is signed.
struct TokenDraft {
  /// What is signed.
  let message: [UInt8]

  init(
    _ claims: [String: JSONValue], type: String?, header: [String: JSONValue], _ algorithm: SignatureAlgorithm,
    _ keyID: String?
  ) throws(JOSEError) {
    var header = header
    header["alg"] = .string(algorithm.name)
    header["kid"] = keyID.map(JSONValue.string)
    header["typ"] = type.map(JSONValue.string)
    guard let head = CompactJSON.object(header), let body = CompactJSON.object(claims) else {
      throw JOSEError(.cannotSign, "A number in the claims can't be written in JSON.", source: "RFC 8259 §6")
    }
    message = Array((StrictBase64URL.encode(head) + "." + StrictBase64URL.encode(body)).utf8)
  }

  func finished(_ signature: [UInt8]) -> Secret {
    Secret(String(decoding: message, as: UTF8.self) + "." + StrictBase64URL.encode(signature))
  }
}
