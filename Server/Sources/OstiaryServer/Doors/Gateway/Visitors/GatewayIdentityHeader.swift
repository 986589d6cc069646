import HTTPTypes
import OstiaryCore

/// A header field about the user for upstreams and proxies.
package struct GatewayIdentityHeader: Sendable, Hashable {
  /// The content of the field.
  package enum Value: Sendable, Hashable {
    /// The name they sign in with.
    case userName
    /// The name to show.
    case displayName
    /// The e-mail address, if one is known and proven to be theirs.
    case email
    /// The id, which never belongs to another user.
    case userID
    /// An attribute that is text.
    case attribute(String)
  }

  /// The field's name.
  package var name: String
  /// The content of the field.
  package var value: Value

  /// Makes a header.
  package init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  /// `Remote-User`, `Remote-Name` and `Remote-Email`.
  package static let standard = [
    GatewayIdentityHeader("Remote-User", .userName), GatewayIdentityHeader("Remote-Name", .displayName),
    GatewayIdentityHeader("Remote-Email", .email),
  ]
}

/// Tells upstreams the user, and makes sure that a client can't.
struct GatewayIdentity: Sendable {
  /// Fields that applications behind gateways trust. A client's own field is never passed on, whether or not this
  /// gateway sets the field.
  private static let believed: Set<String> = [
    "remote-user", "remote-name", "remote-email", "remote-groups", "remote-user-id", "x-remote-user", "x-remote-group",
    "x-remote-groups", "x-forwarded-user", "x-forwarded-email", "x-forwarded-groups",
    "x-forwarded-preferred-username", "x-forwarded-access-token", "x-auth-user", "x-auth-username", "x-auth-email",
    "x-auth-name", "x-auth-groups", "x-auth-token-user", "x-auth-request-user", "x-auth-request-email",
    "x-auth-request-groups", "x-auth-request-preferred-username", "x-auth-request-access-token", "x-authenticated-user",
    "x-authenticated-email", "x-webauth-user", "x-webauth-email", "x-webauth-name", "x-webauth-groups", "x-user",
    "x-username", "x-user-id", "x-user-email", "x-email", "x-authentik-username", "x-authentik-email",
    "x-authentik-groups", "x-authentik-name", "x-authentik-uid", "cf-access-authenticated-user-email",
    "x-goog-authenticated-user-email", "x-goog-authenticated-user-id", "x-ms-client-principal",
    "x-ms-client-principal-name", "x-ms-client-principal-id", "x-amzn-oidc-identity", "x-amzn-oidc-data",
    "x-amzn-oidc-accesstoken", "x-ssl-client-dn", "ssl-client-s-dn", "x-client-cert", "x-client-verify", "iv-user",
    "iv-user-l", "iv-groups", "iv-creds", "iv-remote-address", "sm-user", "smuser", "$wsru", "$wscc", "oidc-claim-sub",
    "oidc-claim-email",
  ]

  private let headers: [(HTTPField.Name, GatewayIdentityHeader.Value)]
  private let names: Set<String>

  init(_ headers: [GatewayIdentityHeader], style: GatewayStyle) {
    let all = headers + (style == .webSEAL ? [GatewayIdentityHeader("iv-user", .userName)] : [])
    self.headers = all.compactMap { header in HTTPField.Name(header.name).map { ($0, header.value) } }
    names = Self.believed.union(all.map { FieldNames.normalized($0.name) })
  }

  /// The fields about a user.
  func fields(of user: User) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in headers {
      guard let text = Self.text(value, of: user) else { continue }
      // Control characters are removed: a line break would be folded or refused.
      fields[name] =
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        ? text
        : String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
    return fields
  }

  /// Whether an application could take a client's field for the gateway's, by its name as `normalized(_:)` makes it.
  func claims(_ normalized: String) -> Bool { names.contains(normalized) }

  private static func text(_ value: GatewayIdentityHeader.Value, of user: User) -> String? {
    switch value {
    case .userName: user.name
    case .displayName: user.displayName
    // Upstreams treat it as the user's own.
    case .email: user.isEmailVerified ? user.email : nil
    case .userID: user.id
    case .attribute(let name): user.attributes[name]?.string
    }
  }
}
