import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting

/// An authorization server and an API without a network. Refresh tokens are good once when it rotates.
final class OAuthStub: Sendable {
  struct State: Sendable {
    var number = 0
    var accessTokens: Set<String> = []
    var refreshTokens: Set<String> = []
    var revoked: [String] = []
    var refreshes = 0
    /// Answers the next calls of the token endpoint in place of the server.
    var answer: (@Sendable (OAuthParameters) -> TransportResponse?)?
  }

  let clock = ManualClock()
  let transport: ScriptedTransport
  let state = Locked(State())
  let rotates: Bool
  let lifetime: Int?
  let hasUserInfo: Bool

  init(rotates: Bool = true, lifetime: Int? = 3600, hasUserInfo: Bool = false) {
    self.rotates = rotates
    self.lifetime = lifetime
    self.hasUserInfo = hasUserInfo
    transport = ScriptedTransport(clock: clock)
    transport.on(.post, "/token") { [self] in token($0.form) }
    transport.on(.post, "/revoke") { [self] request in
      let token = request.form["token"] ?? ""
      return state.withLock { state in
        state.revoked.append(token)
        state.accessTokens.remove(token)
        state.refreshTokens.remove(token)
        return .status(.ok)
      }
    }
    transport.on(.get, "/userinfo") { [self] request in
      isGood(request) ? .json(["sub": "u1", "name": "Ann"]) : Self.refused
    }
    transport.on(.get, "/things") { [self] in isGood($0) ? .json(["ok": true]) : Self.refused }
    transport.on(.post, "/things") { [self] in isGood($0) ? .json(["ok": true]) : Self.refused }
  }

  static var refused: TransportResponse {
    .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer realm=\"api\", error=\"invalid_token\""])
  }

  private func isGood(_ request: TransportRequest) -> Bool {
    guard let field = request.head.headerFields[.authorization], field.hasPrefix("Bearer ") else { return false }
    return state.withLock { $0.accessTokens.contains(String(field.dropFirst(7))) }
  }

  private func token(_ form: OAuthParameters) -> TransportResponse {
    if let answer = state.withLock({ $0.answer })?(form) { return answer }
    return state.withLock { state in
      if form["grant_type"] == "refresh_token" {
        state.refreshes += 1
        guard let presented = form["refresh_token"], state.refreshTokens.contains(presented) else {
          return .json(["error": "invalid_grant", "error_description": "unknown token"], status: .badRequest)
        }
        if rotates { state.refreshTokens.remove(presented) }
      }
      state.number += 1
      let access = "access-\(state.number)"
      state.accessTokens = [access]
      var answer: [String: JSONValue] = ["access_token": .string(access), "token_type": "Bearer", "scope": "a b"]
      if let lifetime { answer["expires_in"] = .integer(Int64(lifetime)) }
      if rotates || form["grant_type"] != "refresh_token" {
        let refresh = "refresh-\(state.number)"
        state.refreshTokens.insert(refresh)
        answer["refresh_token"] = .string(refresh)
      }
      return .json(answer)
    }
  }

  /// Makes every access token worthless.
  func dropAccessTokens() { state.withLock { $0.accessTokens = [] } }

  func answer(_ answer: (@Sendable (OAuthParameters) -> TransportResponse?)?) {
    state.withLock { $0.answer = answer }
  }

  func client(_ authentication: ClientAuthentication = .none) throws -> OAuthClient {
    try OAuthClient(
      id: "app", authentication: authentication,
      endpoints: OAuthEndpoints(
        token: Self.url("/token"), authorization: Self.url("/authorize"), deviceAuthorization: Self.url("/device"),
        revocation: Self.url("/revoke"), introspection: Self.url("/introspect"),
        userInfo: hasUserInfo ? Self.url("/userinfo") : nil, issuer: "https://as.test"))
  }

  func authenticator(flow: OAuthFlow? = nil) throws -> OAuthAuthenticator {
    try OAuthAuthenticator(server: Self.url("/"), client: client(), flow: flow ?? Self.browser)
  }

  func manager(
    flow: OAuthFlow? = nil, store: any SessionStore = EphemeralStore(), margin: Duration = .seconds(60)
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    configuration.expiryMargin = margin
    return SessionManager(
      authenticator: try authenticator(flow: flow), transport: transport,
      credentials: .byHandler, store: store,
      configuration: configuration, clock: clock)
  }

  var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  static func url(_ path: String) -> URL {
    URL(string: "https://as.test\(path)") ?? URL(fileURLWithPath: "/")
  }

  static let redirectURI = URL(string: "https://app.test/callback") ?? URL(fileURLWithPath: "/")

  /// A user who says yes at once.
  static let browser = OAuthFlow.authorizationCode(
    in: ClosureUserAgent { try $0.callback(["code": "c=1+2/3!"]) }, redirectURI: redirectURI, scope: "a b")

  /// A flow whose user signs in the first time and declines from then on.
  /// - Parameter visits: counts how often the user is asked.
  static func flowOfOneSignIn(visits: Locked<Int> = Locked(0)) -> OAuthFlow {
    .authorizationCode(
      in: ClosureUserAgent { request in
        guard
          visits.withLock({
            $0 += 1
            return $0
          }) == 1
        else { throw OstiaryError(.interactionCancelled, "No.") }
        return try request.callback(["code": "c"])
      }, redirectURI: redirectURI)
  }
}

extension AuthorizationRequest {
  /// The address that a server sends a browser to.
  func callback(_ parameters: OAuthParameters, mark: String = "?") throws -> URL {
    var all = parameters
    all.add("state", state.reveal())
    return try bareCallback(all, mark: mark)
  }

  func bareCallback(_ parameters: OAuthParameters, mark: String = "?") throws -> URL {
    let pairs = parameters.all.map { (name: $0.name, value: $0.value) }
    let text = redirectURI.absoluteString + mark + FormEncoding.serialize(pairs)
    guard let url = URL(string: text) else { throw OstiaryError(.invalidInput, "no URL") }
    return url
  }
}

extension TransportRequest {
  /// The body, as a form.
  var form: OAuthParameters {
    OAuthParameters(
      FormEncoding.parse(String(decoding: body ?? Data(), as: UTF8.self)).map { .init($0.name, $0.value) })
  }
}
