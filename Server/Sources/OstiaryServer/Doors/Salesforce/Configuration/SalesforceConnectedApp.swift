import Foundation
public import OstiaryCore

/// A connected app: a program that may ask for tokens, and its administrator's settings.
public struct SalesforceConnectedApp: Sendable {
  /// How long a refresh token is valid.
  package enum RefreshTokenPolicy: Sendable, Hashable {
    /// Until it is revoked.
    case untilRevoked
    /// Not at all: it is issued, and has expired.
    case immediatelyExpired
    /// Until it has not been used for this time.
    case unused(Duration)
    /// For this time.
    case fixed(Duration)
  }

  /// The users of the app, and their consent.
  package enum PermittedUsers: Sendable, Hashable {
    /// All users, each of whom has to approve it.
    case selfAuthorized
    /// All users: an administrator has approved it for them, and no user is asked.
    case preauthorized
  }

  /// The consumer key, which is the `client_id` and is not secret.
  public var consumerKey: String
  /// The name on the consent page.
  public var name: String
  /// The consumer secret: at least 112 random bits. Without one the app is public, and no client can verify the
  /// signatures of its token responses.
  public var consumerSecret: Secret?
  /// Whether the secret has to be presented for a code and a refresh token. Apps on phones have a secret and present none.
  public var requiresSecret = true
  /// The addresses to which browsers may be redirected, compared byte for byte.
  public var callbackURLs: [String]
  /// Whether a callback to this machine may have any port, as RFC 8252 §7.3 requires and Salesforce does not.
  package var acceptsAnyLoopbackPort = false
  /// The scopes that it may ask for, and gets if it asks for none.
  public var scopes = ["id", "api", "refresh_token"]
  /// A certificate, or a public key, in PEM: the holder of its private key (RSA, 2048 bits or more) gets tokens for
  /// users with the JWT bearer flow.
  public var certificate: String?
  /// The users of the app, and their consent.
  package var permittedUsers = PermittedUsers.selfAuthorized
  /// How long refresh tokens are valid.
  package var refreshTokenPolicy = RefreshTokenPolicy.untilRevoked
  /// Whether each use of a refresh token replaces it.
  package var rotatesRefreshTokens = false
  /// How long a replaced refresh token still gets the same successor, for a client that has lost the answer. The vendor
  /// documents nothing about it. 60 s by default.
  package var replayWindow: Duration = .seconds(60)
  /// Whether a code must be asked for with a PKCE challenge.
  package var requiresCodeChallenge = false
  /// Whether the app may have a sign-in page of its own and send names and passwords (headless identity); for the
  /// organisation's own apps. Off by default.
  package var allowsHeadlessSignIn = false
  /// Whether devices without a browser may use the app. On by default.
  package var allowsDevices = true
  /// A session of this app ends after this much time without a request; nil takes the org's.
  package var sessionTimeout: Duration?

  /// Describes an app.
  public init(consumerKey: String, name: String, consumerSecret: Secret? = nil, callbackURLs: [String] = []) {
    self.consumerKey = consumerKey
    self.name = name
    self.consumerSecret = consumerSecret
    self.callbackURLs = callbackURLs
  }

  /// The supported scopes.
  package static let knownScopes: Set<String> = [
    "address", "api", "chatter_api", "content", "custom_permissions", "email", "full", "id", "lightning",
    "offline_access", "openid", "phone", "profile", "refresh_token", "visualforce", "web",
  ]

  /// All problems of the app, one sentence each.
  var problems: [String] {
    var problems: [String] = []
    let who = "The connected app “\(name)”"
    let isKey = (1...256).contains(consumerKey.utf8.count) && consumerKey.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    if !isKey { problems.append("\(who) needs a consumer key: 1 to 256 printable characters without spaces.") }
    for url in callbackURLs where !Self.isCallback(url) {
      problems.append(
        "\(who) has a callback URL that can't be one: it is https, http on this machine, or a scheme of the app's own, "
          + "without a fragment.")
    }
    let unknown = Set(scopes).subtracting(Self.knownScopes)
    if !unknown.isEmpty || scopes.isEmpty {
      problems.append("\(who) needs scopes that there are: \(Self.knownScopes.sorted().joined(separator: ", ")).")
    }
    if let certificate, SalesforceAssertionKey(pem: certificate) == nil {
      problems.append("\(who) has a certificate that is no PEM with an RSA key of 2048 bits or more.")
    }
    if !requiresSecret, consumerSecret == nil { problems.append("\(who) has no secret that it could leave out.") }
    let times = [sessionTimeout, refreshTokenPolicy.duration].compactMap { $0 }
    if times.contains(where: { $0 <= .zero }) || replayWindow < .zero {
      problems.append("\(who) has a time that is nothing.")
    }
    return problems
  }

  /// OA-03: no script, and no plain HTTP beyond this machine.
  private static func isCallback(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercasedASCII, !text.containsByte("#"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return false }
    switch scheme {
    case "https": return url.host()?.isEmpty == false
    case "http": return Origin(url)?.isLoopback == true
    case "javascript", "data", "vbscript", "file", "blob", "about": return false
    default: return true
    }
  }
}

extension SalesforceConnectedApp {
  /// Whether a browser may be redirected there.
  func accepts(_ redirectURI: String) -> Bool {
    // By bytes: as texts, U+212A KELVIN SIGN and `K` are equal.
    if callbackURLs.contains(where: { $0.hasSameBytes(as: redirectURI) }) { return true }
    guard acceptsAnyLoopbackPort, let wanted = Self.withoutLoopbackPort(redirectURI) else { return false }
    return callbackURLs.contains { Self.withoutLoopbackPort($0)?.hasSameBytes(as: wanted) == true }
  }

  /// Whether the address is a port of the user's own machine, where a program listens.
  static func isLoopback(_ redirectURI: String) -> Bool {
    URL(string: redirectURI).flatMap(Origin.init)?.isLoopback == true
  }

  /// An address on this machine without its port; nil for any other.
  private static func withoutLoopbackPort(_ text: String) -> String? {
    guard var parts = URLComponents(string: text), parts.scheme == "http", parts.user == nil, parts.password == nil,
      let host = parts.host, ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host), parts.fragment == nil
    else { return nil }
    // The text must equal the one composed from its parts: another spelling could hide a different address.
    guard parts.string?.hasSameBytes(as: text) == true else { return nil }
    parts.port = nil
    return parts.string
  }
}

extension SalesforceConnectedApp.RefreshTokenPolicy {
  /// The duration in it, if there is one.
  var duration: Duration? {
    switch self {
    case .untilRevoked, .immediatelyExpired: nil
    case .unused(let duration), .fixed(let duration): duration
    }
  }
}

extension SalesforceConnectedApp {
  /// The policy of its tokens for the token core.
  func tokenPolicy(_ door: SalesforceDoorConfiguration) -> TokenPolicy {
    var policy = TokenPolicy()
    policy.accessLifetime = .sliding(idle: sessionTimeout ?? door.sessionTimeout, absolute: nil)
    policy.rotatesRefreshTokens = rotatesRefreshTokens
    policy.replayWindow = replayWindow
    policy.refreshIdle = nil
    policy.refreshAbsolute = nil
    switch refreshTokenPolicy {
    case .untilRevoked: break
    case .immediatelyExpired: policy.refreshAbsolute = .zero
    case .unused(let duration): policy.refreshIdle = duration
    case .fixed(let duration): policy.refreshAbsolute = duration
    }
    policy.codeLifetime = door.codeLifetime
    policy.requiresCodeChallenge = requiresCodeChallenge
    // The Mobile SDK's verifier has 171 characters, where RFC 7636 §4.1 allows 128.
    policy.longestCodeVerifier = 1024
    // A token of a disabled user is refused, and the client is told why.
    policy.endsWithPassword = false
    policy.mostApprovalsPerUser = door.mostApprovals
    return policy
  }
}
