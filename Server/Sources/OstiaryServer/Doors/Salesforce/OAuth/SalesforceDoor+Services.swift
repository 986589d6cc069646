import Foundation
import HTTPTypes
import Logging
import OstiaryCore

/// Revocation, introspection, and the server's metadata.
extension SalesforceDoor {
  /// `/services/oauth2/revoke`: by POST, by GET, and by GET from a script element (JSONP).
  func revoke(_ request: DoorRequest) async throws -> DoorResponse {
    let form = request.method == .post ? SalesforceForm(request) : SalesforceForm(query: request.query)
    let callback = request.method == .post ? nil : form["callback"]
    if let callback, !Self.isCallbackName(callback) {
      return try SalesforceOAuthFailure("invalid_request", "invalid callback").response(.json)
    }
    do {
      try form.demandSingleParameters()
      guard let text = form["token"] else { throw SalesforceOAuthFailure.missing("token") }
      guard try await tokens.revoke(SalesforceTokenText(any: text).token) != nil else {
        throw SalesforceOAuthFailure.invalidToken
      }
      if let reason = form["revoke_reason"], Self.revokeReasons.contains(reason) {
        identity.audit.logger.info("token revoked", metadata: ["reason": "\(reason)"])
      }
      return callback.map { Self.script("\($0)({})") } ?? DoorResponse(status: .ok)
    } catch let failure as SalesforceOAuthFailure {
      return try callback.map { Self.script("\($0)({\"error\":\"\(failure.error)\"})") }
        ?? SalesforceOAuthFormat(request, form).response([("error", .string(failure.error))], status: failure.status)
    } catch let error as ServerError where error.isStorageFault || error.retryAfter != nil {
      log(error)
      return try SalesforceOAuthFailure.unavailable(error.retryAfter ?? .seconds(5)).response(.json)
    }
  }

  private static func script(_ text: String) -> DoorResponse {
    var response = DoorResponse(
      status: .ok, headers: [.contentType: "text/javascript;charset=UTF-8"], body: Array(text.utf8))
    // A resource that a script element of another site loads needs this field.
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
  }

  /// Names joined by dots: no other text may be a callback.
  private static func isCallbackName(_ text: String) -> Bool {
    guard text.utf8.count <= 128 else { return false }
    return text.byteParts(at: ".").allSatisfy { name in
      guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
      return name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24: true
        default: false
        }
      }
    }
  }

  private static let revokeReasons: Set<String> = [
    "corrupt_state", "corrupt_state_app_configuration_settings", "corrupt_state_app_invalid_restclient",
    "corrupt_state_app_other", "corrupt_state_app_provider_error_invalid_user", "corrupt_state_msdk",
    "refresh_token_expired", "refresh_token_rotated", "ssdk_logout_policy", "timeout", "unexpected",
    "unexpected_response", "unknown", "user_logout",
  ]

  /// `/services/oauth2/introspect`: for apps with a secret, about their own tokens.
  func introspect(_ request: DoorRequest) async throws -> DoorResponse {
    let form = SalesforceForm(request)
    return try await withFailures(form, .json) { format in
      let known = try await authenticatedApp(request, form, demandsSecret: true)
      guard let text = form["token"] else { throw SalesforceOAuthFailure.missing("token") }
      guard
        let token = try await tokens.introspect(SalesforceTokenText(any: text).token, client: known.client),
        let user = token.grant.user, !user.isDisabled, let org = root.org(of: user)
      else { return try format.response([("active", false)]) }
      var members: [(String, JSONValue)] = [
        ("active", true), ("scope", .string(token.scopes.joined(separator: " "))),
        ("client_id", .string(token.grant.clientID)), ("username", .string(user.name)),
        ("sub", .string(identityURL(user, org))), ("token_type", .string(token.kind.rawValue)),
        ("iat", .integer(Int64(token.issuedAt.timeIntervalSince1970))),
        ("nbf", .integer(Int64(token.issuedAt.timeIntervalSince1970))),
      ]
      if let end = token.expiresAt { members.append(("exp", .integer(Int64(end.timeIntervalSince1970)))) }
      return try format.response(members)
    }
  }

  /// `/.well-known/openid-configuration`, with the supported members only: there are no ID tokens, and so no keys.
  func discovery(_ entry: SalesforceEntry) throws -> DoorResponse {
    let base = origin.description + entry.path
    let responses = configuration.insecureFlows.contains(.userAgent) ? ["code", "token"] : ["code"]
    var grants = [
      "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer", "device",
    ]
    if configuration.insecureFlows.contains(.usernamePassword) { grants.append("password") }
    let scopes = Set(apps.values.flatMap(\.scopes)).sorted()
    func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    return try .json(
      .object([
        "issuer": .string(base), "authorization_endpoint": .string(base + "/services/oauth2/authorize"),
        "token_endpoint": .string(base + "/services/oauth2/token"),
        "revocation_endpoint": .string(base + "/services/oauth2/revoke"),
        "introspection_endpoint": .string(base + "/services/oauth2/introspect"),
        "userinfo_endpoint": .string(base + "/services/oauth2/userinfo"),
        "scopes_supported": list(scopes), "response_types_supported": list(responses),
        "grant_types_supported": list(grants), "subject_types_supported": list(["public"]),
        "code_challenge_methods_supported": list(["S256"]),
        "token_endpoint_auth_methods_supported": list(["client_secret_post", "client_secret_basic", "none"]),
      ])
    ).withCharset
  }
}
