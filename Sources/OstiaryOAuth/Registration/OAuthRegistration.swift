public import Foundation
public import OstiaryCore

/// What a server gave a client that was registered (RFC 7591 §3.2.1). It is `Codable`, its secrets in the clear: keep it as a session is
/// kept.
public struct OAuthRegistration: Sendable, Hashable, Codable {
  /// The issuer that the client is registered with.
  public var issuer: String
  /// The identifier that the server has given.
  public var clientID: String
  /// The secret, where the client got one.
  public var secret: Secret?
  /// When the secret stops being accepted, by the server's clock; `nil` for never.
  public var secretExpiresAt: Date?
  /// What reads, changes and ends the registration (`registration_access_token`, RFC 7592 §3).
  public var managementToken: Secret?
  /// Where that is done (`registration_client_uri`).
  public var managementAddress: URL?
  /// What else the server said of the client, which may be other than what was asked for.
  public var members: [String: JSONValue]

  /// How the client says that it is itself, where a secret or nothing is enough: as the server said, otherwise with a secret
  /// by HTTP Basic (RFC 7591 §2). `nil` for methods that take a key of the client's own.
  public var authentication: ClientAuthentication? {
    switch members["token_endpoint_auth_method"]?.string {
    case "none": ClientAuthentication.none
    case "client_secret_post": secret.map { ClientAuthentication.secretPost($0) }
    case "client_secret_basic": secret.map { ClientAuthentication.secretBasic($0) }
    case nil: secret.map { ClientAuthentication.secretBasic($0) } ?? ClientAuthentication.none
    default: nil
    }
  }

  /// Takes a server's answer.
  /// - Parameter earlier: the registration that it is about; what the answer leaves out stays (RFC 7592 §3).
  init(
    _ answer: [String: JSONValue], issuer: String, _ rule: EndpointRule, earlier: OAuthRegistration? = nil
  ) throws(UnusableAnswer) {
    var members = answer
    guard let clientID = members.removeValue(forKey: "client_id")?.string, !clientID.isEmpty else {
      throw UnusableAnswer(message: "The server gave the client no identifier.")
    }
    if let earlier, !clientID.hasSameBytes(as: earlier.clientID) {
      throw UnusableAnswer(message: "The server's answer is about another client.")
    }
    let text = members.removeValue(forKey: "registration_client_uri")?.string
    let address = text.flatMap(EndpointRule.address)
    // The management token would go there.
    guard text == nil || address.map({ rule.problem(of: $0) == nil }) == true else {
      throw UnusableAnswer(message: "The address of the registration is not an absolute https URL.")
    }
    let token = members.removeValue(forKey: "registration_access_token")?.string
    let secret = members.removeValue(forKey: "client_secret")?.string
    let end = members.removeValue(forKey: "client_secret_expires_at")?.double
    self.issuer = issuer
    self.clientID = clientID
    self.secret = secret.map { Secret($0) } ?? earlier?.secret
    // 0 means never.
    secretExpiresAt =
      end.map { $0 > 0 ? Date(timeIntervalSince1970: $0) : nil } ?? (secret == nil ? earlier?.secretExpiresAt : nil)
    managementToken = token.map { Secret($0) } ?? earlier?.managementToken
    managementAddress = address ?? earlier?.managementAddress
    self.members = members
  }

  /// Why an answer to a registration can't be used.
  struct UnusableAnswer: Error, Sendable {
    let message: String
  }
}

extension OAuthRegistration: Redacted {
  /// The identifier and the issuer; never the secrets.
  public var description: String { "OAuthRegistration(\(clientID) at \(issuer))" }
}

extension OAuthClient {
  /// Makes a client of a registration.
  /// - Parameter authentication: how it says that it is itself; by default as its registration says.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a registration whose method takes a key of the client's own,
  ///   without ``ClientAuthentication``.
  public init(
    _ registration: OAuthRegistration, authentication: ClientAuthentication? = nil, in directory: ServerDirectory,
    convention: ServerDirectory.Convention = .openID
  ) throws {
    guard let authentication = authentication ?? registration.authentication else {
      throw OstiaryError.invalidOAuthInput(
        "The client is registered with a way of authentication that takes a key of its own, or lost its secret.",
        "Give the authentication.")
    }
    try self.init(
      id: registration.clientID, authentication: authentication, issuer: registration.issuer, in: directory,
      convention: convention)
  }
}
