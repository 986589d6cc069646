public import Foundation
public import OstiaryCore

/// What an authorization server says of itself (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).
///
/// It is the document of one issuer: its ``issuer`` was compared byte for byte, and each address that is used was looked at.
/// What the server doesn't say is `nil`, and what is not of its type counts as not said.
public struct ServerMetadata: Sendable, Hashable {
  /// The server's issuer identifier, as it was asked for.
  public let issuer: String
  /// The issuer that the document names and tokens come from: the same, but for servers whose preset knows of another. One that stands for many
  /// tenants has `{tenantid}` in a tenant's place.
  public let tokenIssuer: String
  /// Where the server does what; `nil` without a token endpoint.
  public let endpoints: OAuthEndpoints?
  /// Everything that the server said, as it came: what has no name here can be read there.
  public let members: [String: JSONValue]

  /// The largest document that is read: 256 KiB. Real ones have some kilobytes.
  static let maximumBytes = 1 << 18
  /// How deep it may be nested.
  static let maximumDepth = 16

  /// Reads a document.
  /// - Parameters:
  ///   - issuer: the issuer that was asked. A document of another one is refused (RFC 8414 §3.3).
  ///   - insecurelyAllowsPlainHTTP: lets endpoints be `http` addresses of other hosts.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `metadataUnusable` for a document that is none, is another issuer's, or has an
  ///   address that may not be one.
  public init(json: Data, issuer: String, insecurelyAllowsPlainHTTP: Bool = false) throws {
    guard json.count <= Self.maximumBytes else {
      throw OstiaryError.unusableMetadata("The server's metadata are longer than 256 KiB.", "RFC 8414 §3.2")
    }
    let members: [String: JSONValue]
    do {
      members = try StrictJSON.object([UInt8](json), maximumDepth: Self.maximumDepth)
    } catch {
      let message =
        switch error {
        case .repeatedName: "The server's metadata have two members of one name."
        case .malformed: "The server's metadata are not a JSON object."
        case .tooDeep: "The server's metadata are nested too deep."
        }
      throw OstiaryError.unusableMetadata(message, "RFC 8414 §3.2")
    }
    try self.init(members: members, issuer: issuer, insecurelyAllowsPlainHTTP: insecurelyAllowsPlainHTTP)
  }

  /// Takes the members of a document, such as one that comes with an app.
  /// - Throws: as ``init(json:issuer:insecurelyAllowsPlainHTTP:)``.
  public init(members: [String: JSONValue], issuer: String, insecurelyAllowsPlainHTTP: Bool = false) throws {
    let address = try IssuerAddress(issuer, allowsPlainHTTP: insecurelyAllowsPlainHTTP)
    guard let named = members["issuer"]?.string else {
      throw OstiaryError.unusableMetadata("The server's metadata name no issuer.", "RFC 8414 §2")
    }
    let isAlias = ServerPreset.of(issuer)?.issuersInDocuments.contains { $0.allows(named, for: issuer) } ?? false
    guard named.hasSameBytes(as: issuer) || isAlias else {
      throw OstiaryError.unusableMetadata(
        "The server's metadata are those of \(Self.shown(named)), not of \(Self.shown(issuer)).", "RFC 8414 §3.3",
        advice: "Give the issuer exactly as the server writes it, a slash at the end included.", disposition: .misuse)
    }
    let rule = EndpointRule(allowsPlainHTTP: insecurelyAllowsPlainHTTP, allowsLoopback: address.origin.isLoopback)
    endpoints = try OAuthEndpoints(members, rule)
    self.issuer = issuer
    tokenIssuer = named
    self.members = members
  }

  /// An issuer for a message. What the server has written may be no address, and as long as a document can be.
  private static func shown(_ issuer: String) -> String {
    let start = issuer.range(of: "://")?.upperBound ?? issuer.startIndex
    let end = issuer[start...].firstIndex { "/?#".contains($0) } ?? issuer.endIndex
    var text = issuer
    if let at = issuer[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: "…") }
    return "“\(ServerWords.shown(text, hiding: [], limit: 200))”"
  }
}

extension ServerMetadata {
  /// The document with the keys that the server signs with (`jwks_uri`).
  public var keySetAddress: URL? { members.address("jwks_uri") }
  /// Where clients are registered (RFC 7591 §3).
  public var registrationAddress: URL? { members.address("registration_endpoint") }

  /// Whether the server takes only requests that were pushed (RFC 9126 §5).
  public var requiresPushedAuthorization: Bool { members.flag("require_pushed_authorization_requests") }
  /// Whether each callback of the server names its issuer (RFC 9207 §3). One without it is then refused.
  public var promisesIssuerInCallback: Bool { members.flag("authorization_response_iss_parameter_supported") }
  /// Whether the server tells clients of a logout by a request of its own (OpenID Connect Back-Channel Logout §2.1).
  public var supportsBackChannelLogout: Bool { members.flag("backchannel_logout_supported") }
  /// Whether such a request names the session.
  public var supportsBackChannelLogoutSession: Bool { members.flag("backchannel_logout_session_supported") }
  /// Whether the server tells clients of a logout through the browser (OpenID Connect Front-Channel Logout §3).
  public var supportsFrontChannelLogout: Bool { members.flag("frontchannel_logout_supported") }
  /// Whether such a request names the session.
  public var supportsFrontChannelLogoutSession: Bool { members.flag("frontchannel_logout_session_supported") }
  /// Whether a `client_id` may be the address of a document about the client.
  public var supportsClientDocuments: Bool { members.flag("client_id_metadata_document_supported") }

  /// The scopes that the server tells of (`scopes_supported`).
  public var scopes: [String]? { members.list("scopes_supported") }
  /// `response_types_supported`.
  public var responseTypes: [String]? { members.list("response_types_supported") }
  /// `grant_types_supported`; without it, authorization codes and implicit grants (RFC 8414 §2).
  public var grantTypes: [String]? { members.list("grant_types_supported") }
  /// `code_challenge_methods_supported` (RFC 7636).
  public var codeChallengeMethods: [String]? { members.list("code_challenge_methods_supported") }
  /// How clients may say that they are themselves (`token_endpoint_auth_methods_supported`); without it, by
  /// `client_secret_basic` (RFC 8414 §2).
  public var authenticationMethods: [String]? { members.list("token_endpoint_auth_methods_supported") }
  /// With which algorithms clients may sign for that (`token_endpoint_auth_signing_alg_values_supported`).
  public var authenticationAlgorithms: [String]? { members.list("token_endpoint_auth_signing_alg_values_supported") }
  /// With which algorithms proofs of possession may be signed (`dpop_signing_alg_values_supported`, RFC 9449 §5.1).
  public var proofAlgorithms: [String]? { members.list("dpop_signing_alg_values_supported") }
  /// With which algorithms ID tokens may be signed (`id_token_signing_alg_values_supported`).
  public var idTokenAlgorithms: [String]? { members.list("id_token_signing_alg_values_supported") }
  /// With which algorithms userinfo may be signed (`userinfo_signing_alg_values_supported`).
  public var userInfoAlgorithms: [String]? { members.list("userinfo_signing_alg_values_supported") }
  /// How strongly a user can be made to sign in (`acr_values_supported`).
  public var authenticationContexts: [String]? { members.list("acr_values_supported") }
}

extension ServerMetadata: CustomStringConvertible, CustomReflectable {
  /// The issuer and how much it says.
  public var description: String { "ServerMetadata(\(issuer), \(members.count) members)" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension [String: JSONValue] {
  /// The texts of a list; `nil` for what is none.
  func list(_ name: String) -> [String]? { self[name]?.array?.compactMap(\.string) }

  /// Whether a member says yes. Some servers write it as a text.
  func flag(_ name: String) -> Bool { self[name]?.bool ?? (self[name]?.string == "true") }

  /// The address that was looked at when the document was read.
  func address(_ name: String) -> URL? { self[name]?.string.flatMap(EndpointRule.address) }
}
