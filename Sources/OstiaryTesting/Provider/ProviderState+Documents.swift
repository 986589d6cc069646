internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// What a provider publishes.
extension ProviderState {
  /// Its metadata (RFC 8414 §2, OpenID Connect Discovery §3).
  func metadata(_ endpoint: ProviderEndpoint, _ request: ProviderRequest) -> TransportResponse {
    guard settings.documents.contains(endpoint) else { return .status(.notFound) }
    var members: [String: JSONValue] = [
      "issuer": .string(isWrong(.metadataOfAnotherIssuer, endpoint) ? "https://other.example" : settings.issuer),
      "scopes_supported": .words("openid", "profile", "offline_access"), "response_types_supported": .words("code"),
      "response_modes_supported": .words("query", "fragment"),
      "grant_types_supported": .array(Self.grantTypes.map(JSONValue.string)),
      "subject_types_supported": .words("public"), "code_challenge_methods_supported": .words("S256"),
      "id_token_signing_alg_values_supported": .words(keys.current.algorithm.name),
      "token_endpoint_auth_methods_supported": .words(
        "none", "client_secret_basic", "client_secret_post", "private_key_jwt", "client_secret_jwt"),
      "token_endpoint_auth_signing_alg_values_supported": .words("ES256", "RS256", "EdDSA", "HS256"),
      "dpop_signing_alg_values_supported": .words("ES256"),
      "authorization_response_iss_parameter_supported": .bool(settings.namesIssuerInCallbacks),
      "require_pushed_authorization_requests": .bool(settings.requiresPushedRequests),
      "acr_values_supported": .words("1", "2"), "claims_supported": .words("sub", "name", "auth_time", "acr"),
    ]
    let names: [(String, ProviderEndpoint)] = [
      ("jwks_uri", .keys), ("authorization_endpoint", .authorization), ("token_endpoint", .token),
      ("pushed_authorization_request_endpoint", .pushedAuthorization),
      ("device_authorization_endpoint", .deviceAuthorization), ("revocation_endpoint", .revocation),
      ("introspection_endpoint", .introspection), ("userinfo_endpoint", .userInfo),
      ("end_session_endpoint", .endSession),
    ]
    for (name, endpoint) in names { members[name] = .string(addresses.address(endpoint)) }
    if settings.registersClients { members["registration_endpoint"] = .string(addresses.address(.registration)) }
    if settings.signsUserInfo {
      members["userinfo_signing_alg_values_supported"] = .words(keys.current.algorithm.name)
    }
    if isWrong(.metadataWithPlainHTTP, endpoint) {
      for (name, endpoint) in names {
        members[name] = .string(addresses.address(endpoint).replacing("https://", with: "http://"))
      }
    }
    if isWrong(.metadataWithoutTokenEndpoint, endpoint) { members["token_endpoint"] = nil }
    if isWrong(.hugeMetadata, endpoint) { members["padding"] = .string(String(repeating: ".", count: 10 << 20)) }
    return document(members, request)
  }

  static let grantTypes = [
    "authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code",
    "urn:ietf:params:oauth:grant-type:token-exchange",
  ]

  /// The key set (RFC 7517 §5).
  func keySet(_ request: ProviderRequest) -> TransportResponse {
    var shown = keys.published.compactMap(\.publicKey).map { key in
      var members = key.members
      members["use"] = "sig"
      if isWrong(.keysWithoutNames, .keys) { members["kid"] = nil }
      return JSONValue.object(members)
    }
    if isWrong(.emptyKeySet, .keys) { shown = [] }
    if isWrong(.hugeKeySet, .keys), let key = shown.first?.object {
      shown = (0..<10_000).map { number in
        var members = key
        members["kid"] = .string("key-\(number)")
        return .object(members)
      }
    }
    return document(["keys": .array(shown)], request)
  }

  /// An API's document (RFC 9728 §2).
  func resourceMetadata(_ resource: String, _ request: ProviderRequest) -> TransportResponse {
    document(
      [
        "resource": .string(
          isWrong(.metadataOfAnotherResource, .resourceMetadata) ? "https://other-api.example/" : resource),
        "authorization_servers": .words(settings.issuer), "bearer_methods_supported": .words("header"),
        "dpop_signing_alg_values_supported": .words("ES256"), "scopes_supported": .words("openid", "profile"),
      ], request)
  }

  /// A document that can be kept: with `ETag`, and 304 for a client that has it.
  private func document(_ members: [String: JSONValue], _ request: ProviderRequest) -> TransportResponse {
    let body = Data(CompactJSON.object(members) ?? [])
    let tag = "\"" + StrictBase64URL.encode(SHA256.hash(data: body).prefix(12)) + "\""
    var fields: HTTPFields = [.eTag: tag]
    fields[.cacheControl] = settings.cacheControl
    if request.fields[.ifNoneMatch] == tag { return .status(.notModified, headerFields: fields) }
    fields[.contentType] = "application/json"
    return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: body)
  }
}

extension JSONValue {
  /// A list of texts.
  static func words(_ words: String...) -> JSONValue { .array(words.map(JSONValue.string)) }
}
