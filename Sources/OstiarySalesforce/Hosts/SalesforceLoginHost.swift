public import Foundation
internal import OstiaryCore
public import OstiaryOAuth

/// Where users of an org sign in: `login.salesforce.com`, a sandbox's `test.salesforce.com`, a domain of the org's own, or
/// an Experience Cloud community with its path (`acme.force.com/customers`).
public struct SalesforceLoginHost: Sendable, Hashable {
  /// The address, without a trailing slash.
  public let url: URL

  /// Production orgs.
  public static let production = SalesforceLoginHost(unchecked: "https://login.salesforce.com")
  /// Sandboxes.
  public static let sandbox = SalesforceLoginHost(unchecked: "https://test.salesforce.com")

  /// Reads a host as apps configure it (`SFDCOAuthLoginHost`), with or without a scheme, white space and slashes at its
  /// end, and with a community's path. It is always reached by `https`; only this machine itself may be named with
  /// `http://`.
  /// - Returns: `nil` when there is no host in it, or more than a host and a path.
  public init?(_ text: String) {
    var text = Substring(text.trimmingCharacters(in: .whitespacesAndNewlines))
    var scheme = "https"
    if let end = text.range(of: "://") {
      scheme = text[..<end.lowerBound].lowercased()
      text = text[end.upperBound...]
    }
    while text.hasSuffix("/") { text = text.dropLast() }
    guard scheme == "https" || scheme == "http", !text.isEmpty else { return nil }
    let isLocal = URL(string: "http://\(text)").flatMap { Origin($0) }?.isLoopback == true
    guard let url = URL(string: "\(scheme == "http" && isLocal ? "http" : "https")://\(text)") else { return nil }
    self.init(url)
  }

  /// Takes an address.
  /// - Returns: `nil` when it is no `https` URL (or one of this machine) with nothing but a host, a port and a path.
  public init?(_ url: URL) {
    // No name in DNS has an escape; each reading of one would make another host of it.
    guard let origin = Origin(url), origin.isSecure || origin.isLoopback, url.user() == nil, url.query() == nil,
      url.fragment() == nil, url.host(percentEncoded: true)?.contains("%") == false
    else { return nil }
    var path = url.path(percentEncoded: true)
    while path.hasSuffix("/") { path.removeLast() }
    guard let clean = URL(string: origin.description + path) else { return nil }
    self.url = clean
  }

  private init(unchecked text: String) {
    url = URL(string: text) ?? URL(fileURLWithPath: "/")
  }

  /// The first of several configured hosts that is one: what was chosen by the user, what the device's administrator
  /// prescribes, what the app's `SFDCOAuthLoginHost` says, ``production``.
  public static func choose(stored: String? = nil, managed: String? = nil, bundled: String? = nil)
    -> SalesforceLoginHost
  {
    [stored, managed, bundled].lazy.compactMap { $0 }.compactMap { SalesforceLoginHost($0) }.first ?? production
  }

  /// The address of one of the services below this host; a community's path stays in front.
  public func address(_ path: String) -> URL { url.appending(path: path) }

  /// Where an authorization server at this host does what. The device flow begins at the token endpoint.
  public var endpoints: OAuthEndpoints {
    let token = address("services/oauth2/token")
    return OAuthEndpoints(
      token: token, authorization: address("services/oauth2/authorize"), deviceAuthorization: token,
      revocation: address("services/oauth2/revoke"), introspection: address("services/oauth2/introspect"),
      userInfo: address("services/oauth2/userinfo"))
  }
}

extension SalesforceLoginHost: CustomStringConvertible {
  /// The host and path, without the scheme.
  public var description: String {
    (Origin(url)?.authority ?? "") + url.path(percentEncoded: true)
  }
}
