import Foundation
import OstiaryCore

/// What vendors publish of their servers, as far as clients use it: the values of their documents, and where those are.
struct VendorDocument: Sendable {
  let vendor: String
  /// The issuer that an app gives.
  let issuer: String
  /// Where the document is.
  let address: String
  let members: [String: JSONValue]

  private init(_ vendor: String, _ issuer: String, base: String, _ paths: [String: String], named: String? = nil) {
    self.vendor = vendor
    self.issuer = issuer
    address = (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    var members: [String: JSONValue] = [
      "issuer": .string(named ?? issuer), "id_token_signing_alg_values_supported": .array(["RS256"]),
    ]
    for (name, path) in paths { members[name] = .string(path.contains("://") ? path : base + path) }
    self.members = members
  }

  static let all = [google, entra, consumers, apple, okta, auth0, keycloak, cognito]

  static let google = VendorDocument(
    "Google", "https://accounts.google.com", base: "https://oauth2.googleapis.com",
    [
      "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth", "token_endpoint": "/token",
      "device_authorization_endpoint": "/device/code", "revocation_endpoint": "/revoke",
      "userinfo_endpoint": "https://openidconnect.googleapis.com/v1/userinfo",
      "jwks_uri": "https://www.googleapis.com/oauth2/v3/certs",
    ])

  static let entra = VendorDocument(
    "Microsoft Entra ID", "https://login.microsoftonline.com/common/v2.0",
    base: "https://login.microsoftonline.com/common",
    [
      "authorization_endpoint": "/oauth2/v2.0/authorize", "token_endpoint": "/oauth2/v2.0/token",
      "device_authorization_endpoint": "/oauth2/v2.0/devicecode", "end_session_endpoint": "/oauth2/v2.0/logout",
      "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo", "jwks_uri": "/discovery/v2.0/keys",
    ], named: "https://login.microsoftonline.com/{tenantid}/v2.0")

  static let consumers = VendorDocument(
    "Microsoft Entra ID", "https://login.microsoftonline.com/consumers/v2.0",
    base: "https://login.microsoftonline.com/consumers",
    [
      "authorization_endpoint": "/oauth2/v2.0/authorize", "token_endpoint": "/oauth2/v2.0/token",
      "jwks_uri": "/discovery/v2.0/keys",
    ], named: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0")

  static let apple = VendorDocument(
    "Apple", "https://appleid.apple.com", base: "https://appleid.apple.com/auth",
    [
      "authorization_endpoint": "/authorize", "token_endpoint": "/token", "revocation_endpoint": "/revoke",
      "jwks_uri": "/keys",
    ])

  static let okta = VendorDocument(
    "Okta", "https://example.okta.com/oauth2/default", base: "https://example.okta.com/oauth2/default/v1",
    [
      "authorization_endpoint": "/authorize", "token_endpoint": "/token", "userinfo_endpoint": "/userinfo",
      "jwks_uri": "/keys", "introspection_endpoint": "/introspect", "revocation_endpoint": "/revoke",
      "end_session_endpoint": "/logout", "device_authorization_endpoint": "/device/authorize",
      "pushed_authorization_request_endpoint": "/par",
      "registration_endpoint": "https://example.okta.com/oauth2/v1/clients",
    ])

  static let auth0 = VendorDocument(
    "Auth0", "https://example.eu.auth0.com/", base: "https://example.eu.auth0.com",
    [
      "authorization_endpoint": "/authorize", "token_endpoint": "/oauth/token", "userinfo_endpoint": "/userinfo",
      "device_authorization_endpoint": "/oauth/device/code", "jwks_uri": "/.well-known/jwks.json",
      "revocation_endpoint": "/oauth/revoke", "registration_endpoint": "/oidc/register",
      "end_session_endpoint": "/oidc/logout",
    ])

  static let keycloak = VendorDocument(
    "Keycloak", "https://sso.example/realms/main", base: "https://sso.example/realms/main/protocol/openid-connect",
    [
      "authorization_endpoint": "/auth", "token_endpoint": "/token", "userinfo_endpoint": "/userinfo",
      "introspection_endpoint": "/token/introspect", "revocation_endpoint": "/revoke", "jwks_uri": "/certs",
      "end_session_endpoint": "/logout", "device_authorization_endpoint": "/auth/device",
      "pushed_authorization_request_endpoint": "/ext/par/request",
    ])

  static let cognito = VendorDocument(
    "Amazon Cognito", "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_aBc",
    base: "https://pool.auth.eu-west-1.amazoncognito.com",
    [
      "authorization_endpoint": "/oauth2/authorize", "token_endpoint": "/oauth2/token",
      "userinfo_endpoint": "/oauth2/userInfo", "revocation_endpoint": "/oauth2/revoke",
      "end_session_endpoint": "/logout",
      "jwks_uri": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_aBc/.well-known/jwks.json",
    ])
}
