/// What a ``ScriptedProvider`` can be asked at.
public enum ProviderEndpoint: String, Sendable, Hashable, CaseIterable {
  /// The document of OpenID Connect Discovery §4.
  case openIDMetadata
  /// The document of RFC 8414 §3.
  case serverMetadata
  /// The key set (RFC 7517 §5).
  case keys
  /// The page on which a user signs in (RFC 6749 §3.1).
  case authorization
  /// Where authorization requests are put beforehand (RFC 9126).
  case pushedAuthorization
  /// Where grants become tokens (RFC 6749 §3.2).
  case token
  /// Where devices get their codes (RFC 8628 §3.1).
  case deviceAuthorization
  /// Where tokens are revoked (RFC 7009).
  case revocation
  /// Where tokens are looked at (RFC 7662).
  case introspection
  /// Where a token's user is told (OpenID Connect Core §5.3).
  case userInfo
  /// Where clients register, and their registrations (RFC 7591, RFC 7592).
  case registration
  /// The page that ends the user's sign-in (OpenID Connect RP-Initiated Logout §2).
  case endSession
  /// The document of an API (RFC 9728 §3).
  case resourceMetadata
  /// An API: each address below one of ``ProviderSettings/resources``.
  case resource
}

extension ProviderEndpoint {
  /// All that a program asks itself; the others are pages.
  static let asked = Set(allCases).subtracting([.authorization, .endSession])

  /// The path below the issuer; `nil` for what has its place elsewhere.
  var path: String? {
    switch self {
    case .openIDMetadata: "/.well-known/openid-configuration"
    case .keys: "/keys"
    case .authorization: "/authorize"
    case .pushedAuthorization: "/par"
    case .token: "/token"
    case .deviceAuthorization: "/device"
    case .revocation: "/revoke"
    case .introspection: "/introspect"
    case .userInfo: "/userinfo"
    case .registration: "/register"
    case .endSession: "/end-session"
    case .serverMetadata, .resourceMetadata, .resource: nil
    }
  }
}

/// Where a provider and its APIs are.
struct ProviderAddresses: Sendable {
  let settings: ProviderSettings

  /// The issuer without a slash at its end.
  private var base: String { Self.withoutSlash(settings.issuer) }

  func address(_ endpoint: ProviderEndpoint) -> String {
    switch endpoint {
    case .serverMetadata: Self.wellKnown("oauth-authorization-server", of: settings.issuer)
    case .resourceMetadata: metadata(ofResource: settings.resources.first ?? "")
    case .resource: settings.resources.first ?? ""
    default: base + (endpoint.path ?? "")
    }
  }

  /// The address of an API's document (RFC 9728 §3.1).
  func metadata(ofResource resource: String) -> String { Self.wellKnown("oauth-protected-resource", of: resource) }

  /// What is at an address that has no query, and of which API, if it is one's.
  func endpoint(at address: String) -> (endpoint: ProviderEndpoint, resource: String?)? {
    for endpoint in ProviderEndpoint.allCases where endpoint.path != nil || endpoint == .serverMetadata {
      if address == self.address(endpoint) { return (endpoint, nil) }
    }
    if address.hasPrefix(self.address(.registration) + "/") { return (.registration, nil) }
    if let resource = settings.resources.first(where: { address == metadata(ofResource: $0) }) {
      return (.resourceMetadata, resource)
    }
    let below = settings.resources.first { resource in
      address == resource || address.hasPrefix(Self.withoutSlash(resource) + "/")
    }
    return below.map { (.resource, $0) }
  }

  /// RFC 8414 §3.1: between the host and the path.
  private static func wellKnown(_ name: String, of address: String) -> String {
    let text = withoutSlash(address)
    guard let scheme = text.firstRange(of: "://") else { return text }
    let path = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
    return "\(text[..<path])/.well-known/\(name)\(text[path...])"
  }

  private static func withoutSlash(_ address: String) -> String {
    address.hasSuffix("/") ? String(address.dropLast()) : address
  }
}
