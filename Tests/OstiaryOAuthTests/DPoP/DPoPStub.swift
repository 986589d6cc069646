import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting

/// An authorization server and an API, on two origins, that take nothing without a proof of possession. ``DPoPProofVerifier`` judges.
final class DPoPStub: Sendable {
  /// Which nonces a server demands.
  enum Nonces: Sendable, Hashable {
    case none
    /// The same until the test changes it.
    case steady
    /// Its newest alone; every answer brings another one.
    case newest
  }

  /// What one of the two has seen.
  struct Place: Sendable {
    var nonces = Nonces.none
    var number = 1
    var proofs = 0
    /// Why requests were refused, in their order.
    var refusals: [String] = []
    var names: Set<String> = []
    /// The keys of the proofs that were accepted, in their order.
    var thumbprints: [String] = []
    /// What refuses each request, in place of the judge.
    var insists: String?
    /// Whether a refusal brings the nonce that is demanded.
    var tells = true
  }

  /// The one that gives tokens, or the one that takes them.
  enum Side: Sendable, Hashable {
    case token
    case api
  }

  struct State: Sendable {
    var number = 0
    var token = Place()
    var api = Place()
    /// Tokens and the thumbprints of the keys that they are bound to.
    var accessTokens: [String: String] = [:]
    var refreshTokens: [String: String] = [:]
    var refreshes = 0
    var revoked: [String] = []
    var tokenType: String? = "DPoP"
    /// How the API writes the scheme of its challenges.
    var scheme = "DPoP"
    var skew: TimeInterval = 0
    var saysTime = false
    /// With what the client has said who it is.
    var assertions: [String] = []

    subscript(side: Side) -> Place {
      get { side == .token ? token : api }
      set { if side == .token { token = newValue } else { api = newValue } }
    }
  }

  let clock = ManualClock()
  let transport: ScriptedTransport
  let state = Locked(State())
  let lifetime = 3600

  init() {
    transport = ScriptedTransport(clock: clock)
    transport.on(.post, "/token") { [self] in token($0) }
    transport.on(.post, "/revoke") { [self] request in
      state.withLock { state in
        let token = request.form["token"] ?? ""
        state.revoked.append(token)
        state.accessTokens[token] = nil
        state.refreshTokens[token] = nil
      }
      return .status(.ok)
    }
    transport.on(.post, "/device") { _ in
      .json([
        "device_code": "planted-device", "user_code": "ABCD", "verification_uri": "https://as.test/d", "interval": 1,
      ])
    }
    transport.on(.get, "/userinfo") { [self] request in
      protected(request) { .json(["sub": "u1", "name": "Ann"]) }
    }
    for path in ["/things", "/moved"] {
      for method in [HTTPRequest.Method.get, .post] {
        transport.on(method, path) { [self] request in protected(request) { .json(["ok": true]) } }
      }
    }
  }

  // MARK: Judging

  /// The server's time.
  private var now: Date { clock.now.addingTimeInterval(state.withLock { $0.skew }) }

  private func address(_ request: TransportRequest) -> String {
    "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")"
  }

  /// What a request proves, and what its answer tells. A nonce that is good once is spent before another request is judged.
  private struct Judged: Sendable {
    let key: Result<String, Refused>
    let nonce: String?
  }

  private func judge(_ request: TransportRequest, at place: Side, token: String?) -> Judged {
    let now = now
    return state.withLock { state in
      let key = self.key(request, place, token, now, &state)
      if state[place].nonces == .newest { state[place].number += 1 }
      let isTold = state[place].nonces != .none && state[place].tells
      return Judged(key: key, nonce: isTold ? nonce(state[place], place) : nil)
    }
  }

  /// The key that a request proves, or why it proves none.
  private func key(
    _ request: TransportRequest, _ place: Side, _ token: String?, _ now: Date, _ state: inout State
  ) -> Result<String, Refused> {
    state[place].proofs += 1
    if let word = state[place].insists { return .failure(refuse(word, &state, place)) }
    guard let text = request.head.headerFields[dpopField] else {
      return .failure(refuse("invalid_dpop_proof", &state, place))
    }
    let demanded = state[place].nonces == .none ? nil : nonce(state[place], place)
    let verified = DPoPProofVerifier.Request(
      method: request.head.method.rawValue, address: address(request), accessToken: token.map { Secret($0) },
      nonces: demanded.map { [$0] })
    do throws(JOSEError) {
      let proof = try DPoPProofVerifier().verify(text, for: verified, at: now)
      guard state[place].names.insert(proof.id).inserted else {
        return .failure(refuse("invalid_dpop_proof", &state, place))
      }
      state[place].thumbprints.append(proof.thumbprint)
      return .success(proof.thumbprint)
    } catch {
      return .failure(refuse(error.code == .wrongNonce ? "use_dpop_nonce" : "invalid_dpop_proof", &state, place))
    }
  }

  struct Refused: Error { let word: String }

  private func refuse(_ word: String, _ state: inout State, _ place: Side) -> Refused {
    state[place].refusals.append(word)
    return Refused(word: word)
  }

  private func nonce(_ place: Place, _ side: Side) -> String {
    "planted-nonce-\(side == .token ? "as" : "api")-\(place.number)"
  }

  /// Adds what every answer has.
  private func finish(_ response: TransportResponse, _ judged: Judged) -> TransportResponse {
    var response = response
    if state.withLock({ $0.saysTime }) { response.head.headerFields[.date] = HTTPDate.format(now) }
    response.head.headerFields[nonceField] = judged.nonce
    return response
  }

  // MARK: Answering

  private func token(_ request: TransportRequest) -> TransportResponse {
    let form = request.form
    state.withLock { state in
      if let assertion = form["client_assertion"] { state.assertions.append(assertion) }
    }
    let judged = judge(request, at: .token, token: nil)
    switch judged.key {
    case .success(let key): return finish(tokens(for: form, key), judged)
    case .failure(let refused):
      let members: [String: JSONValue] = ["error": .string(refused.word), "error_description": "proof"]
      return finish(.json(members, status: .badRequest), judged)
    }
  }

  private func tokens(for form: OAuthParameters, _ key: String) -> TransportResponse {
    state.withLock { state in
      if form["grant_type"] == "refresh_token" {
        guard let old = form["refresh_token"], state.refreshTokens.removeValue(forKey: old) == key else {
          return .json(["error": "invalid_grant"], status: .badRequest)
        }
        state.refreshes += 1
      }
      state.number += 1
      let (access, refresh) = ("planted-access-\(state.number)", "planted-refresh-\(state.number)")
      state.accessTokens = [access: key]
      state.refreshTokens[refresh] = key
      var members: [String: JSONValue] = [
        "access_token": .string(access), "refresh_token": .string(refresh), "expires_in": .integer(Int64(lifetime)),
      ]
      members["token_type"] = state.tokenType.map { .string($0) }
      return .json(members)
    }
  }

  private func protected(_ request: TransportRequest, _ answer: () -> TransportResponse) -> TransportResponse {
    let field = request.head.headerFields[.authorization] ?? ""
    let token = field.hasPrefix("DPoP ") ? String(field.dropFirst(5)) : ""
    let judged = judge(request, at: .api, token: token)
    switch judged.key {
    case .failure(let refused):
      let scheme = state.withLock { $0.scheme }
      return finish(Self.challenge(refused.word, scheme: scheme), judged)
    case .success(let key):
      let isGood = state.withLock { $0.accessTokens[token] } == key
      return finish(isGood ? answer() : Self.challenge("invalid_token"), judged)
    }
  }

  static func challenge(_ error: String, scheme: String = "DPoP") -> TransportResponse {
    .status(.unauthorized, headerFields: [.wwwAuthenticate: "\(scheme) error=\"\(error)\", algs=\"ES256\""])
  }

  // MARK: The other side

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  func client(
    _ dpop: DPoP? = DPoP(), authentication: ClientAuthentication = .none, hasUserInfo: Bool = false
  ) throws -> OAuthClient {
    var client = try OAuthClient(
      id: "app", authentication: authentication,
      endpoints: OAuthEndpoints(
        token: Self.url("/token"), authorization: Self.url("/authorize"), deviceAuthorization: Self.url("/device"),
        revocation: Self.url("/revoke"), userInfo: hasUserInfo ? Self.url("/userinfo") : nil, issuer: "https://as.test")
    )
    client.dpop = dpop
    return client
  }

  func manager(
    _ client: OAuthClient? = nil, flow: OAuthFlow = OAuthStub.browser, store: any SessionStore = EphemeralStore(),
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: try OAuthAuthenticator(server: Self.api, client: try client ?? self.client(), flow: flow),
      transport: transport, credentials: .byHandler, store: store, configuration: configuration, clock: clock,
      logger: logger)
  }

  var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  static func url(_ path: String) -> URL { OAuthStub.url(path) }
  static let api = URL(string: "https://api.test/") ?? URL(fileURLWithPath: "/")
  static let things = URL(string: "https://api.test/things") ?? URL(fileURLWithPath: "/")
}

let dpopField = HTTPField.Name("DPoP") ?? .authorization
let nonceField = HTTPField.Name("DPoP-Nonce") ?? .authorization
