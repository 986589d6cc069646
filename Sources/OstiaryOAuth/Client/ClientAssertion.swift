internal import Foundation
public import OstiaryCore
public import OstiaryJOSE

/// The form of the signed statement with which a client says who it is (RFC 7523 §2.2 and §3).
///
/// The standard form names the issuer, and nothing else, as its recipient, and has a type of its own (RFC 7523bis §4): a statement for one
/// server can then not be shown to another.
public struct ClientAssertionForm: Sendable, Hashable {
  /// Whom a statement is for.
  public enum Audience: Sendable, Hashable {
    /// The server's issuer identifier.
    case issuer
    /// The endpoint that the statement goes to. A server that is asked to name another's endpoint as its own can use the
    /// statement there.
    case insecureEndpoint
    /// A text that the server wants.
    case insecureText(String)
  }

  /// Whom statements are for.
  public let audience: Audience
  /// Their type (`typ`); `nil` for none.
  public let type: String?
  /// How long each is good, in seconds.
  static let lifetime: Int64 = 60

  private init(audience: Audience, type: String?) {
    self.audience = audience
    self.type = type
  }

  /// For the issuer alone, with the type `client-authentication+jwt`.
  public static let standard = ClientAssertionForm(audience: .issuer, type: "client-authentication+jwt")

  /// For servers from before RFC 7523bis, which want another recipient or another type. Insecure: where the recipient is not the issuer,
  /// one server can make a client sign what another believes.
  public static func insecure(audience: Audience, type: String? = "JWT") -> ClientAssertionForm {
    ClientAssertionForm(audience: audience, type: type)
  }
}

extension ClientAuthentication {
  /// By a statement that the client signs with a private key, whose public half the server knows (`private_key_jwt`, OpenID Connect Core
  /// §9, RFC 7523 §2.2). It is good for 60 seconds, and made anew for each request.
  /// - Parameters:
  ///   - signer: the key. It may wait: a key can stay in a keychain or a hardware module.
  ///   - form: whom statements are for, and their type.
  public static func privateKeyJWT(
    _ signer: any TokenSigner, form: ClientAssertionForm = .standard
  ) -> ClientAuthentication {
    ClientAuthentication(method: "private_key_jwt") { try await $0.sign(by: signer, form) }
  }

  /// By a statement that is signed with the secret that the client shares with the server (`client_secret_jwt`, OpenID Connect Core §9).
  /// - Parameters:
  ///   - secret: at least as many bytes as the algorithm's hash has.
  ///   - algorithm: `insecureHS256` or one of its like: the server can sign in the client's name.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a secret that is too short or no secret, and for another kind of
  ///   algorithm.
  public static func secretJWT(
    _ secret: Secret, algorithm: SignatureAlgorithm = .insecureHS256, form: ClientAssertionForm = .standard
  ) throws -> ClientAuthentication {
    do {
      let key = try SigningKey(insecureSharedSecret: secret, algorithm: algorithm)
      return ClientAuthentication(method: "client_secret_jwt", secret: secret) { try await $0.sign(by: key, form) }
    } catch {
      throw OstiaryError.invalidOAuthInput(
        "The client's secret can't sign: \(error.message)", "Have the server give the client a longer one.")
    }
  }
}

extension ClientRequest {
  /// Adds a statement that is signed for this request alone.
  fileprivate mutating func sign(by signer: any TokenSigner, _ form: ClientAssertionForm) async throws {
    let audience: String
    switch form.audience {
    case .issuer:
      guard let issuer else {
        throw OstiaryError.invalidOAuthInput(
          "The client signs for the server's issuer, which is not known.", "Give the issuer among the endpoints.")
      }
      audience = issuer
    case .insecureEndpoint: audience = endpoint.absoluteString
    case .insecureText(let text): audience = text
    }
    let issuedAt = Int64(now.timeIntervalSince1970)
    let claims: [String: JSONValue] = [
      "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience), "jti": .string(RandomID.make()),
      "iat": .integer(issuedAt), "exp": .integer(issuedAt + ClientAssertionForm.lifetime),
    ]
    let assertion = try await signer.signedToken(claims, type: form.type)
    add("client_id", clientID, isSecret: false)
    add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", isSecret: false)
    add("client_assertion", assertion.reveal())
  }
}
