import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting

/// An OpenID server that gives an ID token with each answer of its token endpoint, and can be wrong in one way at a time.
final class OpenIDStub: Sendable {
  static let issuer = "https://as.test"

  struct State: Sendable {
    /// The key that signs, and those that are published.
    var signer: SigningKey
    var published: [SigningKey]
    /// Changes the claims before they are signed; `nil` leaves the ID token out.
    var change: (@Sendable (inout [String: JSONValue]) -> Void)?
    /// Makes the ID token in another way.
    var sign: (@Sendable ([String: JSONValue], SigningKey) throws -> String)?
    var givesIDToken = true
    /// Why the keys can't be had.
    var keysFailure: OstiaryError?
    var keyRequests = 0
    /// Who asks for the keys waits here.
    var keysGate: Gate?
    /// How far the server's clock is ahead of this device's, as its answers say; `nil` where they don't.
    var clockAhead: TimeInterval?
    var nonce: String?
    /// How often the user was asked.
    var visits = 0
    var subject = "ann"
  }

  let oauth: OAuthStub
  let state: Locked<State>

  init(_ signer: SigningKey? = nil) throws {
    let key = try signer ?? SigningKey.make(.es256, id: "k1")
    let state = Locked(State(signer: key, published: [key]))
    let oauth = OAuthStub(hasUserInfo: true)
    self.state = state
    self.oauth = oauth
    oauth.answer { form in
      let number = oauth.state.withLock { state in
        state.number += 1
        if form["grant_type"] == "refresh_token" { state.refreshes += 1 }
        return state.number
      }
      var answer: [String: JSONValue] = [
        "access_token": .string("access-\(number)"), "refresh_token": .string("refresh-\(number)"),
        "token_type": "Bearer", "expires_in": 3600,
      ]
      oauth.state.withLock { $0.accessTokens = ["access-\(number)"] }
      guard state.withLock({ $0.givesIDToken }) else { return .json(answer) }
      let ahead = state.withLock { $0.clockAhead }
      let now = oauth.clock.now.addingTimeInterval(ahead ?? 0)
      answer["id_token"] = Self.idToken(state, at: now).map(JSONValue.string)
      return .json(answer, headerFields: ahead == nil ? [:] : [.date: HTTPDate.format(now)])
    }
  }

  private static func idToken(_ state: Locked<State>, at now: Date) -> String? {
    let state = state.withLock { $0 }
    let seconds = Int64(now.timeIntervalSince1970)
    var claims: [String: JSONValue] = [
      "iss": .string(issuer), "aud": "app", "sub": .string(state.subject), "iat": .integer(seconds),
      "exp": .integer(seconds + 300),
    ]
    claims["nonce"] = state.nonce.map(JSONValue.string)
    state.change?(&claims)
    if let sign = state.sign { return try? sign(claims, state.signer) }
    return try? state.signer.sign(claims).reveal()
  }

  func change(_ body: (@Sendable (inout [String: JSONValue]) -> Void)?) { state.withLock { $0.change = body } }

  var keyRequests: Int { state.withLock { $0.keyRequests } }

  func client(
    _ authentication: ClientAuthentication = .none, policy: (inout IDTokenPolicy) -> Void = { _ in }
  ) throws -> OAuthClient {
    var client = try oauth.client(authentication)
    var own = IDTokenPolicy(issuer: Self.issuer, keys: StubKeys(state: state))
    policy(&own)
    client.idTokens = own
    return client
  }

  /// A user who says yes at once; the server puts the request's nonce into the ID token.
  func flow(scope: String = "openid", parameters: OAuthParameters = [:]) -> OAuthFlow {
    let state = state
    return .authorizationCode(
      in: ClosureUserAgent { request in
        state.withLock { state in
          state.nonce = request.nonce?.value.reveal()
          state.visits += 1
        }
        return try request.callback(["code": "c"])
      }, redirectURI: OAuthStub.redirectURI, scope: scope, parameters: parameters)
  }

  func authenticator(_ client: OAuthClient? = nil, flow: OAuthFlow? = nil) throws -> OAuthAuthenticator {
    try OAuthAuthenticator(
      server: OAuthStub.url("/"), client: client ?? self.client(), flow: flow ?? self.flow())
  }

  func manager(
    _ authenticator: OAuthAuthenticator? = nil, store: any SessionStore = EphemeralStore(),
    credentials: CredentialSource = .byHandler, recorder: EventRecorder? = nil
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    let manager = SessionManager(
      authenticator: try authenticator ?? self.authenticator(), transport: oauth.transport, credentials: credentials,
      store: store, configuration: configuration, clock: oauth.clock)
    if let recorder { manager.onEvent(recorder.record) }
    return manager
  }

  /// Signs in up to the end of the second step.
  func signIn(_ authenticator: OAuthAuthenticator? = nil) async throws -> SessionGrant {
    let authenticator = try authenticator ?? self.authenticator()
    let grant = try await authenticator.signIn(with: .byHandler, in: oauth.context)
    return try await authenticator.identify(grant, in: oauth.context)
  }

  /// The next ID tokens are signed with a key of another name, which is published.
  func rotateKey(_ id: String = "k2") throws {
    let key = try SigningKey.make(.es256, id: id)
    state.withLock { state in
      state.signer = key
      state.published.append(key)
    }
  }

  /// The access tokens that requests to the API have carried, in their order.
  var attached: [String?] {
    oauth.transport.requests.filter { $0.head.path == "/things" }.map { $0.head.headerFields[.authorization] }
  }

  /// Which rule refused the ID token of a sign-in; `nil` where it was believed.
  func refusal(_ authenticator: OAuthAuthenticator? = nil) async throws -> JOSEError? {
    do {
      _ = try await signIn(authenticator)
      return nil
    } catch let error as OstiaryError where error.code == .idTokenRefused {
      return error.underlying as? JOSEError
    }
  }
}

/// The stub's published keys.
struct StubKeys: IDTokenKeys {
  let state: Locked<OpenIDStub.State>

  func verify(
    _ token: PresentedToken, by verifier: TokenVerifier, of issuer: String, at now: Date,
    in context: AuthenticationContext
  ) async throws -> VerifiedToken {
    let gate = state.withLock { state in
      state.keyRequests += 1
      return state.keysGate
    }
    try await gate?.pass()
    let (keys, failure) = state.withLock { ($0.published, $0.keysFailure) }
    if let failure { throw failure }
    let set = KeySet(try keys.compactMap(\.publicKey).map { try VerificationKey($0) })
    return try verifier.verify(token, with: set, at: now)
  }
}
