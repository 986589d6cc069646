public import Foundation
public import OstiaryCore
internal import OstiaryOAuth

/// The tokens of a Salesforce user, and the addresses that go with them.
public struct SalesforceTokens: Sendable, Hashable {
  /// The connected app that the tokens were given to.
  public let clientID: String
  /// What requests carry.
  public let accessToken: Secret
  /// What newer access tokens are given for; `nil` when there is none.
  public let refreshToken: Secret?
  /// Where the org's interfaces are. It may change whenever tokens are renewed.
  public let instanceURL: URL
  /// Where the server says who the user is; its last two parts are the org and the user.
  public let identityURL: URL?
  /// The Experience Cloud site that the user signed in to.
  public let communityURL: URL?
  /// That site's identifier.
  public let communityID: String?

  /// Names under which a token answer, and so a dictionary of an app's, has these things.
  public enum Name {
    /// The access token.
    public static let accessToken = "access_token"
    /// The refresh token.
    public static let refreshToken = "refresh_token"
    /// The instance URL.
    public static let instanceURL = "instance_url"
    /// The identity URL.
    public static let identityURL = "id"
    /// The community's URL.
    public static let communityURL = "sfdc_community_url"
    /// The community's identifier.
    public static let communityID = "sfdc_community_id"
    /// When the tokens were given.
    public static let issuedAt = "issued_at"
    /// What proves that the server wrote the answer.
    public static let signature = "signature"
    static let clientID = "client_id"
  }

  /// Makes tokens.
  /// - Returns: `nil` for an access token that is empty or can't be one, and for an instance URL that is no `https` URL
  ///   (or `http` on this machine); other parts that are unusable or empty count as missing.
  public init?(
    clientID: String, accessToken: Secret, refreshToken: Secret? = nil, instanceURL: URL, identityURL: URL? = nil,
    communityURL: URL? = nil, communityID: String? = nil
  ) {
    let isToken = !accessToken.isEmpty && accessToken.reveal().utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isToken, !clientID.isEmpty, Self.isUsable(instanceURL) else { return nil }
    self.clientID = clientID
    self.accessToken = accessToken
    self.refreshToken = refreshToken.flatMap { $0.isEmpty ? nil : $0 }
    self.instanceURL = instanceURL
    self.identityURL = identityURL.flatMap { Self.isUsable($0) ? $0 : nil }
    self.communityURL = communityURL.flatMap { Self.isUsable($0) ? $0 : nil }
    self.communityID = communityID.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads a dictionary whose names are those of a token answer (``Name``), so that one can be passed through.
  /// - Returns: `nil` without an access token and an instance URL that can be used.
  public init?(_ members: [String: String], clientID: String) {
    guard let access = members[Name.accessToken], let instance = members[Name.instanceURL],
      let instanceURL = Self.url(instance)
    else { return nil }
    self.init(
      clientID: clientID, accessToken: Secret(access), refreshToken: members[Name.refreshToken].map { Secret($0) },
      instanceURL: instanceURL, identityURL: members[Name.identityURL].flatMap(Self.url),
      communityURL: members[Name.communityURL].flatMap(Self.url), communityID: members[Name.communityID])
  }

  /// The tokens of a session that ``SalesforceAuthenticator`` made.
  public init?(_ session: Session) {
    var members: [String: String] = [:]
    for (name, token) in session.proof.tokens { members[name] = token.reveal() }
    for name in [Name.instanceURL, Name.identityURL, Name.communityURL, Name.communityID, Name.clientID] {
      members[name] = session.attributes[name]?.string
    }
    self.init(members, clientID: members[Name.clientID] ?? "")
  }

  init?(_ grant: SessionGrant, clientID: String) {
    var members = grant.proof.tokens.mapValues { $0.reveal() }
    for (name, value) in grant.attributes { members[name] = members[name] ?? value.string }
    self.init(members, clientID: clientID)
  }

  init?(_ proof: Proof, clientID: String) {
    self.init(proof.tokens.mapValues { $0.reveal() }, clientID: clientID)
  }

  /// The tokens as a credential for ``SalesforceAuthenticator``, which asks the server about them before it believes them.
  public var proof: Proof {
    var tokens = [Name.accessToken: accessToken, Name.instanceURL: Secret(instanceURL.absoluteString)]
    tokens[Name.refreshToken] = refreshToken
    tokens[Name.identityURL] = identityURL.map { Secret($0.absoluteString) }
    tokens[Name.communityURL] = communityURL.map { Secret($0.absoluteString) }
    tokens[Name.communityID] = communityID.map { Secret($0) }
    return Proof(tokens: tokens)
  }

  /// Who the user is, where the identity URL says so.
  public var identity: SalesforceUserIdentity? { identityURL.flatMap { SalesforceUserIdentity(identityURL: $0) } }

  /// Where interfaces are called: the community where there is one, the instance otherwise.
  public var apiURL: URL { communityURL ?? instanceURL }

  /// Where newer tokens come from: the community for its members, where the user signed in for others.
  public var loginHost: SalesforceLoginHost? {
    if communityID != nil, let communityURL { return SalesforceLoginHost(communityURL) }
    guard let identityURL, let origin = Origin(identityURL) else { return SalesforceLoginHost(instanceURL) }
    let path = identityURL.path(percentEncoded: true)
    let prefix = path.range(of: "/id/").map { String(path[..<$0.lowerBound]) } ?? ""
    return SalesforceLoginHost(origin.description + prefix)
  }

  /// Encrypted, or on this machine; with nothing in it that would hide another address.
  static func isUsable(_ url: URL) -> Bool {
    guard let origin = Origin(url), url.user() == nil else { return false }
    return origin.isSecure || origin.isLoopback
  }

  static func url(_ text: String) -> URL? { text.isEmpty ? nil : URL(string: text) }
}

extension SalesforceTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whose tokens they are and where they count; never the tokens.
  public var description: String {
    "SalesforceTokens(\(identity?.name ?? "user unknown") at \(instanceURL.host() ?? "?"))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension Session {
  /// When a Salesforce server says that it gave the tokens: `issued_at`, milliseconds since 1970 in a string, although
  /// its documentation says seconds; `nil` when it did not say.
  public var salesforceIssuedAt: Date? {
    attributes[SalesforceTokens.Name.issuedAt].flatMap { value in
      let number = value.double ?? value.string.flatMap { Double($0) }
      return number.flatMap { $0.isFinite && $0 > 0 ? Date(timeIntervalSince1970: $0 / 1000) : nil }
    }
  }
}
