internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// Who asks.
extension ProviderState {
  func client(_ id: String) -> ProviderClient? {
    settings.clients.first { $0.id == id } ?? registrations[id]?.client
  }

  /// The client that a request is from, by what it proves itself with (RFC 6749 §2.3, RFC 7523 §2.2).
  mutating func authenticated(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> ProviderClient {
    let refusal = ProviderRefusal("invalid_client", "The client is not who it says.", status: .unauthorized)
    let basic = request.authorization("basic").map(Self.pair)
    let assertion = request.form["client_assertion"]
    // More than one way at a time is none (RFC 6749 §2.3).
    guard [basic != nil, assertion != nil, request.form["client_secret"] != nil].count(where: { $0 }) <= 1 else {
      throw ProviderRefusal("invalid_request", "The client proves itself in two ways.")
    }
    if let assertion { return try authenticated(byAssertion: assertion, request, now) }
    guard let id = basic.map({ $0?.id ?? "" }) ?? request.form["client_id"], let client = client(id) else {
      throw refusal
    }
    let secret = basic.map { $0?.secret ?? "" } ?? request.form["client_secret"]
    guard secret == client.secret?.reveal(), secret != nil || client.key == nil else { throw refusal }
    return client
  }

  /// `private_key_jwt` and `client_secret_jwt` (OpenID Connect Core §9, with the audience of rfc7523bis).
  private mutating func authenticated(
    byAssertion text: String, _ request: ProviderRequest, _ now: Date
  ) throws(ProviderRefusal) -> ProviderClient {
    let refusal = ProviderRefusal("invalid_client", "The client's assertion is not right.", status: .unauthorized)
    guard request.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      let token = try? PresentedToken(text), let id = token.unverifiedClaims["sub"]?.string, let client = client(id),
      request.form["client_id"].map({ $0 == id }) ?? true
    else { throw refusal }
    let verifier = TokenVerifier(
      algorithms: [.es256, .rs256, .ps256, .edDSA, .ed25519, .insecureHS256],
      type: .anyOf(["client-authentication+jwt", "JWT"], orAbsent: true),
      rules: [
        .issuer(id), .claim("aud", is: settings.issuer), .unexpired(), .expires(within: .seconds(300)), .present("jti"),
      ])
    var keys: [VerificationKey] = []
    if let key = client.key, let key = try? VerificationKey(key) { keys.append(key) }
    if let secret = client.secret,
      let key = try? VerificationKey(insecureSharedSecret: secret, algorithm: .insecureHS256)
    {
      keys.append(key)
    }
    guard let verified = try? verifier.verify(token, with: KeySet(keys), at: now),
      let name = verified["jti"]?.string, seen.insert("assertion \(id) \(name)").inserted
    else { throw refusal }
    return client
  }

  /// Identifier and secret, each of them form-encoded (RFC 6749 §2.3.1).
  private static func pair(_ text: String) -> (id: String, secret: String)? {
    guard let data = Data(base64Encoded: text) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let decoded = parts.map { FormEncoding.parse("=" + $0).first?.value ?? "" }
    return (decoded[0], decoded[1])
  }

  // MARK: Registration

  /// Registers a client, tells of a registration, or ends one (RFC 7591 §3, RFC 7592 §2).
  mutating func register(_ request: ProviderRequest) -> TransportResponse {
    let base = addresses.address(.registration)
    guard settings.registersClients else { return .status(.notFound) }
    guard request.address == base else {
      let id = String(request.address.dropFirst(base.utf8.count + 1))
      guard let known = registrations[id], request.authorization("bearer") == known.token else {
        return .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
      }
      switch request.method {
      case "GET": return .json(known.metadata)
      case "DELETE":
        registrations[id] = nil
        return .status(.noContent)
      default: return .status(.methodNotAllowed)
      }
    }
    guard request.method == "POST" else { return .status(.methodNotAllowed) }
    let redirects = request.json?["redirect_uris"]?.array?.compactMap(\.string) ?? []
    guard var metadata = request.json, redirects.allSatisfy({ URL(string: $0)?.scheme != nil }) else {
      return .json(["error": "invalid_redirect_uri"], status: .badRequest)
    }
    let (id, token) = (name("client"), name("registration"))
    let method = metadata["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
    var client = ProviderClient(id: id, redirectURIs: redirects)
    switch method {
    case "none": break
    case "private_key_jwt":
      guard let key = metadata["jwks"]?["keys"]?.array?.first?.object, let key = try? PublicJWK(members: key) else {
        return .json(["error": "invalid_client_metadata"], status: .badRequest)
      }
      client.key = key
    default:
      client.secret = Secret(name("secret"))
      metadata["client_secret"] = (client.secret?.reveal()).map(JSONValue.string)
      metadata["client_secret_expires_at"] = 0
    }
    metadata["client_id"] = .string(id)
    metadata["token_endpoint_auth_method"] = .string(method)
    metadata["registration_access_token"] = .string(token)
    metadata["registration_client_uri"] = .string(base + "/" + id)
    registrations[id] = (client, token, metadata)
    return .json(metadata, status: .created, headerFields: [.cacheControl: "no-store"])
  }
}
