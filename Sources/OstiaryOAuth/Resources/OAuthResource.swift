public import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// An API that takes an access token of its own, made for it alone (RFC 8707). A session has one for each, all from one refresh token.
///
/// ```swift
/// client.resources = ["https://api.example/"]
/// authenticator.resources = [try OAuthResource("https://orders.example/v1"), try OAuthResource("https://files.example/")]
/// ```
public struct OAuthResource: Sendable, Hashable {
  /// What the session knows its token by: the resource indicator, as a rule.
  public let name: String
  /// What the token is asked for with, besides the refresh token: `resource`, or what the server has in its place.
  public let parameters: OAuthParameters
  /// What the token is good for, in words separated by spaces; `nil` asks for what was granted.
  public var scope: String?
  let places: [Place]

  /// An origin, and the path below which its requests take the token.
  struct Place: Sendable, Hashable {
    let origin: Origin
    /// Without a slash at its end.
    let path: String

    func has(_ request: HTTPRequest) -> Bool { Origin(request) == origin && request.isBelow(path) }
  }

  /// An API by its resource indicator.
  /// - Parameters:
  ///   - indicator: an absolute URI without a fragment (RFC 8707 §2).
  ///   - addresses: where its requests go, and everything below; by default the indicator is the address.
  ///   - insecurelyAllowsPlainHTTP: as for ``OAuthAuthenticator``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`.
  public init(
    _ indicator: String, at addresses: [URL]? = nil, scope: String? = nil, insecurelyAllowsPlainHTTP: Bool = false
  ) throws {
    var parameters = OAuthParameters()
    try parameters.add(resources: [indicator])
    try self.init(
      named: indicator, at: addresses ?? URL(string: indicator).map { [$0] } ?? [], parameters: parameters,
      scope: scope,
      insecurelyAllowsPlainHTTP: insecurelyAllowsPlainHTTP)
  }

  /// An API of a server that wants something else than a resource indicator: an `audience`, or nothing but a scope.
  /// - Parameters:
  ///   - name: names the API within the session.
  ///   - addresses: where its requests go, and everything below.
  ///   - parameters: what the token is asked for with.
  ///   - scope: what the token is good for.
  ///   - insecurelyAllowsPlainHTTP: as for ``OAuthAuthenticator``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`.
  public init(
    named name: String, at addresses: [URL], parameters: OAuthParameters = [:], scope: String? = nil,
    insecurelyAllowsPlainHTTP: Bool = false
  ) throws {
    guard !name.isEmpty, !addresses.isEmpty else {
      throw OstiaryError.invalidOAuthInput("A resource has no name, or no address.", "Give both.")
    }
    places = try addresses.map { address in
      guard let origin = Origin(address), address.user() == nil,
        origin.isSecure || origin.isLoopback || insecurelyAllowsPlainHTTP
      else {
        throw OstiaryError.invalidOAuthInput(
          "An address of a resource is not an https URL without a user name.",
          "Use https, or allow plain http if no other host can listen on the way.")
      }
      var path = Substring(address.path(percentEncoded: true))
      while path.last == "/" { path.removeLast() }
      return Place(origin: origin, path: String(path))
    }
    self.name = name
    self.parameters = parameters
    self.scope = scope
  }

  /// Under which name its token is among a proof's tokens. What stands there is a text of the session's own.
  var tokenName: String { Self.tokenPrefix + name }

  static let tokenPrefix = TokenSet.Name.accessToken + "@"
}

/// The access token of a resource, as a session keeps it.
struct ResourceToken: Sendable, Hashable {
  var accessToken: Secret
  var tokenType: String
  var scope: String?
  /// When it was given, and when it ends, by this device's clock.
  var givenAt: Date
  var expiresAt: Date?

  init(_ tokens: TokenSet, givenAt: Date) {
    accessToken = tokens.accessToken
    tokenType = tokens.tokenType
    scope = tokens.scope
    self.givenAt = givenAt
    expiresAt = tokens.expiresAt
  }

  /// What a session has kept.
  init?(_ text: Secret) {
    guard let members = JSONValue(json: Data(text.reveal().utf8)), let access = members["access_token"]?.string,
      TokenSet.isToken(access), let type = members["token_type"]?.string, let given = members["given_at"]?.double
    else { return nil }
    accessToken = Secret(access)
    tokenType = type
    scope = members["scope"]?.string
    givenAt = Date(timeIntervalSince1970: given)
    expiresAt = members["expires_at"]?.double.map { Date(timeIntervalSince1970: $0) }
  }

  /// As text, for a session's proof.
  var text: Secret {
    var members: [String: JSONValue] = [
      "access_token": .string(accessToken.reveal()), "token_type": .string(tokenType),
      "given_at": .number(givenAt.timeIntervalSince1970),
    ]
    members["scope"] = scope.map(JSONValue.string)
    members["expires_at"] = expiresAt.map { .number($0.timeIntervalSince1970) }
    return Secret(String(decoding: CompactJSON.object(members) ?? [], as: UTF8.self))
  }
}
