public import Foundation
internal import HTTPTypes
public import OstiaryCore

/// Signs in to servers that take OAuth 2 access tokens.
///
/// ```swift
/// let authenticator = try OAuthAuthenticator(
///   server: api, client: client,
///   flow: .authorizationCode(in: LoopbackUserAgent(), redirectURI: loopback, scope: "orders offline_access"))
/// let manager = SessionManager(
///   authenticator: authenticator, transport: PlatformTransport(), credentials: .byHandler, store: store)
/// ```
///
/// The tokens of a session are its proof's, under ``accessToken`` and the other names here; what else the server said are
/// its attributes. They are presented in four ways:
/// - `Credential.byHandler` runs the ``OAuthFlow``; with `CredentialSource.byHandler` whenever one is needed.
/// - `Credential.proof` takes over tokens that were obtained elsewhere, after asking the server about them: by refreshing
///   when there is no access token, otherwise at the userinfo or introspection endpoint. Where there is neither, the
///   first request tells.
/// - `Credential.request` sends a request of the app's own that is answered with tokens.
/// - `Credential.password` only with ``insecurelyTakesPasswords``.
///
/// Tokens are renewed shortly before they end (`SessionConfiguration.expiryMargin`; with a longer margin there is more
/// time in which a server may be down unnoticed) and when the server refuses them.
public struct OAuthAuthenticator: Authenticator, AuthenticatorWithEndConfirmation {
  /// The server that takes the tokens.
  public let server: URL
  /// The client of the server that gives them.
  public package(set) var client: OAuthClient
  /// How the first tokens are got; `nil` when they are always handed over.
  public var flow: OAuthFlow?
  /// How a user signs in more strongly or more recently where the API wants that (RFC 9470); `nil`: the app gets the API's answer.
  public var stepUp: OAuthStepUp?
  /// The name of this kind of server; a dialect has its own.
  public var kind = AuthenticatorKind.oauth
  /// Where access tokens go: the server's origin, and those of other servers that take the same tokens. Nowhere else.
  public var origins: [Origin]
  /// APIs that take an access token of their own each, from the session's one refresh token (RFC 8707). Each is asked for when a request
  /// needs it, in the session's one flight, and requests to their addresses carry no other. Of an API that the server gives no token for,
  /// requests fail with `noProofForAddress`, and the session goes on.
  ///
  /// A user is asked for them beforehand where the client names its ``OAuthClient/resources``, which the session's usual token is for.
  public var resources: [OAuthResource] = []
  /// How whose tokens they are is found out. By default the ID token says it, where there is one that was verified.
  public var identity = OAuthIdentity.idTokenOrOthers
  /// Which answers refuse the token.
  public var judge = TokenJudge.bearer
  /// Extras of requests that renew, such as `resource` (RFC 8707 §2.2).
  public var renewalParameters: OAuthParameters = [:]
  /// Lets `Credential.password` be exchanged for tokens (RFC 6749 §4.3). Insecure; see
  /// ``OAuthClient/insecureTokens(forUsername:password:scope:parameters:in:)``.
  public var insecurelyTakesPasswords = false
  /// What tokens for a password are asked for.
  public var passwordScope: String?

  /// Among a proof's tokens, what requests carry. While the ID token of a renewal is being judged, a text stands there that is no token and
  /// that no field can carry: `SessionManager.session()` waits for what is.
  public static let accessToken = TokenSet.Name.accessToken
  /// Among a proof's tokens, what newer tokens are given for.
  public static let refreshToken = TokenSet.Name.refreshToken
  /// Among a proof's tokens, the ID token (OpenID Connect Core §2).
  public static let idToken = TokenSet.Name.idToken
  /// Among a proof's tokens, the type of the access token.
  public static let tokenType = TokenSet.Name.tokenType
  /// Among a proof's tokens, what they are good for.
  public static let scope = TokenSet.Name.scope

  /// Makes an authenticator.
  /// - Parameters:
  ///   - server: the API.
  ///   - insecurelyAllowsPlainHTTP: lets tokens travel over `http`, where any host on the way can take them (RFC 6750
  ///     §5.3 forbids it). On this machine itself it needs no permission.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the server is not an `https` URL.
  public init(
    server: URL, client: OAuthClient, flow: OAuthFlow? = nil, insecurelyAllowsPlainHTTP: Bool = false
  ) throws {
    guard let origin = Origin(server) else {
      throw OstiaryError.invalidOAuthInput(
        "The server's address is not an https URL with a host.", "Check the address.")
    }
    guard origin.isSecure || origin.isLoopback || insecurelyAllowsPlainHTTP else {
      throw OstiaryError.invalidOAuthInput(
        "The server at \(origin) is not encrypted.",
        "Use https, or allow plain http if no other host can listen on the way.")
    }
    self.server = server
    self.client = client
    self.flow = flow
    origins = [origin]
  }

  public func attachment(for session: Session) -> ProofAttachment {
    guard let tokens = TokenSet(session), TokenSet.isToken(tokens.accessToken.reveal()) else {
      return ProofAttachment(origins: origins, below: "", parts: parts(of: session))
    }
    if let proof = requestProof(for: session) {
      return ProofAttachment(origins: origins, perRequest: proof, below: "", parts: parts(of: session))
    }
    let field = HTTPField(name: .authorization, value: "Bearer " + tokens.accessToken.reveal())
    return ProofAttachment(origins: origins, fields: [field], below: "", parts: parts(of: session))
  }

  /// The proof is tokens: cookies that come with answers are a gateway's or the application's.
  public func isProof(cookieNamed name: String) -> Bool { false }

  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    if client.preset?.demandsClaims == true, response.status == .unauthorized,
      OAuthStepUp.Demand(response.head, takesClaims: true).claims != nil
    {
      return .insufficient(reason: "The server wants a token with claims that this one does not have.")
    }
    let verdict = judge.judge(response, request)
    // Where no endpoint can be asked about the token, what a renewal brings tells. A page may be a portal's.
    if case .doubtful(let reason, let mayHaveExecuted) = verdict, response.mediaType != "text/html",
      !client.canAskAboutTokens
    {
      return .rejected(reason: reason, mayHaveExecuted: mayHaveExecuted)
    }
    return verdict
  }

  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    judge.bodyNeeded(response, request)
  }
}

extension OAuthAuthenticator: CustomStringConvertible, CustomReflectable {
  /// The server and the client.
  public var description: String { "OAuthAuthenticator(\(server.host() ?? "?"), \(client))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
