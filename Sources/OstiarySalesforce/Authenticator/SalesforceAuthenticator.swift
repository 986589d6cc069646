public import Foundation
internal import HTTPTypes
public import OstiaryCore
public import OstiaryOAuth

/// Signs in to Salesforce orgs: OAuth 2 with their dialect.
///
/// ```swift
/// let authenticator = try SalesforceAuthenticator(
///   host: .production, clientID: consumerKey,
///   flow: .authorizationCode(in: LoopbackUserAgent(), redirectURI: loopback, scope: "api refresh_token"))
/// let manager = SessionManager(
///   authenticator: authenticator, transport: PlatformTransport(), credentials: .byHandler, store: store)
/// let cases = try await SalesforceConnection(manager).send(.get("/services/data/v58.0/sobjects/Case"))
/// ```
///
/// A user's name is org and user, as ``SalesforceUserIdentity`` reads them. Tokens have no date: they are renewed when the
/// server refuses them. Where the org's interfaces are is part of the session and may change whenever tokens are
/// renewed; ``SalesforceConnection`` follows. Tokens go to the org's instance, its community and the host of the identity
/// service, nowhere else.
///
/// `Credential.proof` takes over tokens that were obtained elsewhere (``SalesforceTokens/proof``), after asking the
/// identity service about them; when it refuses them and there is a refresh token, that is tried once.
public struct SalesforceAuthenticator: Authenticator {
  /// Where users sign in.
  public let host: SalesforceLoginHost
  /// The connected app's consumer key.
  public var clientID: String { oauth.client.id }
  /// Extras of requests that renew tokens.
  public var renewalParameters: OAuthParameters {
    get { oauth.renewalParameters }
    set { oauth.renewalParameters = newValue }
  }
  /// How tokens are bound to a key of this app's own (RFC 9449); `nil` for bearer tokens. The org has to allow it.
  public var dpop: DPoP? {
    get { oauth.client.dpop }
    set { oauth.client.dpop = newValue }
  }
  /// How tokens are renewed that came without a refresh token, where the flow that gives the first tokens can't or is not
  /// known any more: by a flow that takes no person, such as `OAuthFlow.salesforceAssertion`. `nil` where there is none for
  /// this user.
  public var renewalFlow: (@Sendable (SalesforceRenewalRequest) -> OAuthFlow?)?
  /// What `Credential.password` is good for.
  public var passwords = SalesforcePasswords.refused
  /// Why tokens are revoked when a session ends, by the time it does.
  public var revocationReason: @Sendable () -> SalesforceRevocationReason = { .userLogout }

  var oauth: OAuthAuthenticator

  /// Makes an authenticator.
  /// - Parameters:
  ///   - host: where users sign in.
  ///   - clientID: the connected app's consumer key.
  ///   - authentication: how the app says that it is itself. With a secret, signatures of token answers are checked.
  ///   - flow: how the first tokens are got; `nil` when they are always handed over.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an empty client identifier.
  public init(
    host: SalesforceLoginHost, clientID: String, authentication: ClientAuthentication = .none, flow: OAuthFlow? = nil
  ) throws {
    self.host = host
    oauth = try OAuthAuthenticator(
      server: host.url, client: Self.client(host, clientID, authentication), flow: flow)
    oauth.kind = .salesforce
    oauth.judge = .salesforce
    oauth.identity = Self.identity(clientSecret: authentication.secret)
  }

  /// Makes an authenticator for tokens that were obtained elsewhere.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when their addresses name no server that can be asked.
  public init(_ tokens: SalesforceTokens, authentication: ClientAuthentication = .none) throws {
    guard let host = tokens.loginHost else {
      throw OstiaryError(
        .invalidInput, "The tokens name no server that could be asked.", advice: "Check their addresses.",
        requestMayHaveExecuted: false)
    }
    try self.init(host: host, clientID: tokens.clientID, authentication: authentication)
  }

  public var kind: AuthenticatorKind { .salesforce }
  public var server: URL { host.url }

  static func client(
    _ host: SalesforceLoginHost, _ clientID: String, _ authentication: ClientAuthentication
  ) throws -> OAuthClient {
    var client = try OAuthClient(id: clientID, authentication: authentication, endpoints: host.endpoints)
    client.terminalRefusals = .salesforce
    return client
  }

  /// The authorization server of a session: a community's for its members, otherwise the one where the user signed in.
  func host(of session: Session) -> SalesforceLoginHost {
    if let tokens = SalesforceTokens(session), tokens.communityID != nil, let host = tokens.loginHost { return host }
    let own = session.attributes[Self.loginHostAttribute]?.string.flatMap { URL(string: $0) }
    return own.flatMap { SalesforceLoginHost($0) } ?? host
  }

  /// The client that a session's tokens were given to, at the session's authorization server.
  func client(of session: Session) throws -> OAuthClient {
    let id = session.attributes[SalesforceTokens.Name.clientID]?.string ?? clientID
    return try Self.client(host(of: session), id, id == clientID ? oauth.client.authentication : .none)
      .proving(as: oauth.client)
  }

  static let loginHostAttribute = "login_url"

  public func attachment(for session: Session) -> ProofAttachment {
    guard let tokens = SalesforceTokens(session), let instance = Origin(tokens.instanceURL) else {
      return ProofAttachment(origins: oauth.origins)
    }
    let earlier = SalesforceInstances.earlier(session.attributes)
    var origins = [instance]
    for origin in [tokens.communityURL, tokens.identityURL].compactMap({ $0.flatMap { Origin($0) } }) + earlier
    where !origins.contains(origin) {
      origins.append(origin)
    }
    let moved = InstanceProof(present: instance, earlier: earlier)
    if let proof = oauth.requestProof(for: session, after: moved) {
      return ProofAttachment(origins: origins, perRequest: proof)
    }
    return ProofAttachment(
      origins: origins, fields: [HTTPField(name: .authorization, value: "Bearer " + tokens.accessToken.reveal())],
      perRequest: moved)
  }

  /// The proof is tokens: cookies that come with answers are a gateway's or the application's.
  public func isProof(cookieNamed name: String) -> Bool { oauth.isProof(cookieNamed: name) }

  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    oauth.judge(response, to: request)
  }

  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    oauth.bodyNeeded(toJudge: response, to: request)
  }
}

extension SalesforceAuthenticator: CustomStringConvertible, CustomReflectable {
  /// The host and the connected app.
  public var description: String { "SalesforceAuthenticator(\(host), \(clientID))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// What a user name and a password are good for at a Salesforce server.
public enum SalesforcePasswords: Sendable {
  /// Nothing: `Credential.password` is not taken.
  case refused
  /// Headless sign-in to a community whose administrator allows it: the password goes to the authorization endpoint, a
  /// code with PKCE comes back.
  case headless(redirectURI: URL)
  /// The username-password flow (RFC 6749 §4.3). Insecure: the program sees the password, and no second factor fits in.
  /// No refresh token is given. The security token, which Salesforce wants from addresses that it doesn't trust, is
  /// added to the password.
  case insecureUsernamePassword(securityToken: Secret?)
}

/// Whose tokens are to be renewed though there is no refresh token for them.
public struct SalesforceRenewalRequest: Sendable, Hashable {
  /// Who it is.
  public let identity: SalesforceUserIdentity
  /// The name that the user signs in with, which an assertion is about; `nil` where it was not said: neither the app
  /// when it signed the user in, nor the server since (``SalesforceConnection/verify()`` asks).
  public let username: String?
  /// Where the tokens come from: whom an assertion is for.
  public let host: SalesforceLoginHost

  /// Makes a request, for tests of what answers it.
  public init(identity: SalesforceUserIdentity, username: String?, host: SalesforceLoginHost) {
    self.identity = identity
    self.username = username
    self.host = host
  }
}
