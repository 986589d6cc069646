import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting

/// An API with JSON, tokens and second factors, without a network. A refresh token is good once where it rotates.
final class TokenAPI: Sendable {
  static let url = URL(string: "https://api.test")
  /// Values that no error, event or description may have in it.
  static let secrets = ["planted-password", "planted-code", "planted-handle", "planted-key"]

  struct State: Sendable {
    var number = 0
    var tokens: Set<String> = []
    var refreshTokens: Set<String> = []
    var logins = 0
    var renewals = 0
    var isRotating = true
    var hasRefreshTokens = true
    /// Whether refusals have a mark.
    var isMarking = true
    var ended: [String] = []
    var lifetime: Int? = 3600
    /// Answers in place of a route.
    var answers: [String: TransportResponse] = [:]
  }

  let clock = ManualClock()
  let transport: ScriptedTransport
  let state = Locked(State())

  init() {
    transport = ScriptedTransport(clock: clock)
    let routes: [(HTTPRequest.Method, String)] = [
      (.post, "/login"), (.post, "/2fa"), (.post, "/terms"), (.post, "/refresh"), (.post, "/slide"), (.get, "/me"),
      (.get, "/check"), (.post, "/logout"), (.get, "/things"), (.post, "/things"),
    ]
    for (method, path) in routes {
      transport.on(method, path) { [self] in respond("\(method.rawValue) \(path)", $0) }
    }
  }

  private func respond(_ route: String, _ request: TransportRequest) -> TransportResponse {
    if let answer = state.withLock({ $0.answers[route] }) { return answer }
    switch route {
    case "POST /login": return login(request)
    case "POST /2fa": return secondFactor(request)
    case "POST /terms": return terms(request)
    case "POST /refresh": return refresh(request)
    case "POST /slide": return slide(request)
    case "GET /me", "GET /check": return me(request)
    case "POST /logout": return logout(request)
    default: return things(request)
    }
  }

  /// What a route answers from now on; `nil` lets the server answer.
  func answer(_ route: String, _ response: TransportResponse?) { state.withLock { $0.answers[route] = response } }

  // MARK: Routes

  private func login(_ request: TransportRequest) -> TransportResponse {
    let members = request.members
    state.withLock { $0.logins += 1 }
    guard members["password"]?.string == TokenAPI.secrets[0] else {
      return refusal("no_active_account")
    }
    switch members["username"]?.string {
    case "carol": return .json(["mfa": "totp", "handle": "planted-handle", "region": "eu"])
    case "dave": return .json(["terms": "2026"])
    default: return tokens()
    }
  }

  private func secondFactor(_ request: TransportRequest) -> TransportResponse {
    let members = request.members
    guard members["handle"]?.string == "planted-handle", members["otp"]?.string == TokenAPI.secrets[1] else {
      return refusal("bad_code")
    }
    return tokens()
  }

  private func terms(_ request: TransportRequest) -> TransportResponse {
    request.members["accepted"] == true ? tokens() : refusal("not_accepted")
  }

  private func refresh(_ request: TransportRequest) -> TransportResponse {
    let token = request.members["refresh"]?.string ?? ""
    let isGood = state.withLock { state in
      state.renewals += 1
      return state.isRotating ? state.refreshTokens.remove(token) != nil : state.refreshTokens.contains(token)
    }
    return isGood ? tokens() : refusal("token_not_valid")
  }

  private func slide(_ request: TransportRequest) -> TransportResponse {
    let isGood = state.withLock { state in
      state.renewals += 1
      return state.tokens.remove(request.token) != nil
    }
    return isGood ? tokens() : refusal("token_not_valid")
  }

  private func me(_ request: TransportRequest) -> TransportResponse {
    isGood(request) ? .json(["id": 7, "name": " Ann ", "role": "admin"]) : refusal("token_not_valid")
  }

  private func things(_ request: TransportRequest) -> TransportResponse {
    isGood(request) ? .json(["ok": true]) : refusal("token_not_valid")
  }

  private func logout(_ request: TransportRequest) -> TransportResponse {
    state.withLock { state in
      state.ended.append(request.token)
      state.tokens.remove(request.token)
    }
    return .status(.noContent)
  }

  // MARK: Tokens

  private func isGood(_ request: TransportRequest) -> Bool { state.withLock { $0.tokens.contains(request.token) } }

  private func refusal(_ code: String) -> TransportResponse {
    state.withLock { $0.isMarking }
      ? .json(["code": .string(code)], status: .unauthorized) : .json([:], status: .unauthorized)
  }

  private func tokens() -> TransportResponse {
    let members = state.withLock { state -> [String: JSONValue] in
      state.number += 1
      let token = "planted-token-\(state.number)"
      state.tokens.insert(token)
      var members: [String: JSONValue] = ["access": .string(token)]
      if state.hasRefreshTokens {
        let refresh = "planted-refresh-\(state.number)"
        state.refreshTokens.insert(refresh)
        members["refresh"] = .string(refresh)
      }
      if let lifetime = state.lifetime { members["expires_in"] = .integer(Int64(lifetime)) }
      return members
    }
    return .json(members)
  }

  /// Makes every token worthless, as a server does whose time is up.
  func dropTokens() { state.withLock { $0.tokens = [] } }

  // MARK: The dialect

  static let marked = DialectCondition.all([.status(401), .pointer("/code", .equals("token_not_valid"))])

  /// The API's dialect, with changes.
  static func dialect(_ change: (inout Dialect) -> Void = { _ in }) -> Dialect {
    let reads = DialectReads(
      token: ["/access"], renewalToken: ["/refresh"], expiry: [.duration(["/expires_in"])])
    var dialect = Dialect(
      name: "token-api",
      signIn: [
        DialectCall(
          .post, "/login", body: .json(["username": "{username}", "password": "{password}"]), reads: reads,
          meanings: [
            DialectMeaning(
              when: .all([.status(401), .pointer("/code", .equals("no_active_account"))]), .wrongPassword),
            DialectMeaning(
              when: .pointer("/mfa", .exists(true)),
              .secondFactor(
                DialectDemand(.read(["/mfa"]), handle: ["/handle"], title: "The code of your app"))),
            DialectMeaning(
              when: .pointer("/terms", .exists(true)), .acceptTerms(DialectDemand(.named("terms"), title: "The terms"))),
          ])
      ],
      continuations: [
        DialectContinuation(
          "totp",
          DialectCall(
            .post, "/2fa", body: .json(["handle": "{handle}", "otp": "{code}"]), reads: reads,
            meanings: [
              DialectMeaning(when: .all([.status(401), .pointer("/code", .equals("bad_code"))]), .wrongPassword)
            ])),
        DialectContinuation(
          "terms", DialectCall(.post, "/terms", body: .json(["accepted": true]), reads: reads)),
      ],
      renew: DialectCall(.post, "/refresh", body: .json(["refresh": "{renewalToken}"]), reads: reads),
      who: DialectCall(
        .get, "/me",
        reads: DialectReads(userID: ["/id"], userName: ["/name"], attributes: [DialectNamedRead("role", "/role")])),
      end: DialectCall(.post, "/logout"),
      meanings: [DialectMeaning(when: marked, .expired)],
      renewal: DialectRenewal(by: .renewalToken, rotation: .always, afterLostAnswer: .sendSameAgain))
    change(&dialect)
    return dialect
  }

  func authenticator(
    answering questions: DialectQuestions = .none, replacing: DialectReplacements = DialectReplacements(),
    _ change: (inout Dialect) -> Void = { _ in }
  ) throws -> DialectAuthenticator {
    try DialectAuthenticator(
      dialect: Self.dialect(change), servers: ["server": URL(string: "https://api.test") ?? URL(filePath: "/")],
      answering: questions, replacing: replacing)
  }

  /// A manager whose failures are not tried again unless the test says so.
  func manager(
    credentials: CredentialSource = .upFront(TokenAPI.ann), answering questions: DialectQuestions = .none,
    store: any SessionStore = EphemeralStore(), retry: RetryPolicy = .none,
    _ change: (inout Dialect) -> Void = { _ in }
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = retry
    return SessionManager(
      authenticator: try authenticator(answering: questions, change), transport: transport, credentials: credentials,
      store: store, configuration: configuration, clock: clock)
  }

  static let ann = Credential.password(username: "ann", password: Secret(TokenAPI.secrets[0]))
  static let carol = Credential.password(username: "carol", password: Secret(TokenAPI.secrets[0]))
  static let dave = Credential.password(username: "dave", password: Secret(TokenAPI.secrets[0]))

  var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  var things: TransportRequest {
    TransportRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/things"))
  }
}

extension TransportRequest {
  /// The members of the JSON body.
  var members: [String: JSONValue] { body.flatMap { JSONValue(json: $0)?.object } ?? [:] }

  /// The bearer token.
  var token: String { String((head.headerFields[.authorization] ?? "").dropFirst("Bearer ".count)) }
}

extension SessionGrant {
  /// The grant as a session, for calls that want one.
  func session(_ authenticator: DialectAuthenticator) -> Session {
    Session(
      kind: authenticator.kind, server: authenticator.server, version: ProofVersion(), grant: self, issuedAt: Date())
  }
}

/// A response with this body.
func apiAnswer(
  _ body: String, _ type: String = "application/json", status: HTTPResponse.Status = .ok,
  headerFields: HTTPFields = [:]
) -> TransportResponse {
  var fields = headerFields
  fields[.contentType] = type
  return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: Data(body.utf8))
}

/// An answer to a call, of the 27th of November 2026 at noon by a server whose clock is `skew` seconds ahead.
func dialectAnswer(
  _ response: TransportResponse, _ call: DialectCall = DialectCall(.get, "/"), jar: CookieJar = CookieJar(),
  step: DialectStep = .signIn
) -> DialectAnswer {
  let head = HTTPRequest(method: call.method, scheme: "https", authority: "api.test", path: "/")
  return DialectAnswer(
    response, to: head, of: DialectCallSite(call, step, at: "/signIn/0"), jar: jar, sentAt: noon, now: noon)
}

/// The 27th of November 2026 at noon, UTC.
let noon = Date(timeIntervalSince1970: 1_795_780_800)
