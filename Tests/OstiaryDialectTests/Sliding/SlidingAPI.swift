import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting

/// An API whose sessions are cookies that slide, without a network: half an hour after its last use a session is over.
final class SlidingAPI: Sendable {
  struct State: Sendable {
    /// The number of the last value of the cookie.
    var number = 0
    /// The values that are good.
    var live: Set<String> = []
    /// Until when, if nothing is sent.
    var until = Date.distantPast
    /// What the cookie says of its end; `nil` for one without a date.
    var maxAge: Int? = 1800
    /// Whether answers set the cookie again.
    var sets = true
    /// Whether they give it another value.
    var rolls = false
    /// Whether an app's requests are answered with 503.
    var isBusy = false
    var logins = 0
  }

  static let idle: TimeInterval = 1800
  let clock = ManualClock()
  let transport: ScriptedTransport
  let state = Locked(State())
  /// How often the user was asked.
  let questions = Locked(0)

  init() {
    transport = ScriptedTransport(clock: clock)
    transport.on(.post, "/login") { [self] _ in login() }
    transport.on(.post, "/logout") { [self] _ in
      state.withLock { $0.live = [] }
      return .status(.noContent)
    }
    transport.on(.get, "/me") { [self] in use($0, .json(["id": 7])) }
    transport.on(.get, "/things") { [self] request in
      state.withLock { $0.isBusy } ? .status(.serviceUnavailable) : use(request, .json(["ok": true]))
    }
  }

  var asked: Int { questions.withLock { $0 } }

  /// How often the server was asked about a session.
  var checks: Int { transport.count(.get, "/me") }

  private func login() -> TransportResponse {
    let now = clock.now
    return state.withLock { state in
      state.logins += 1
      state.live = []
      state.until = now.addingTimeInterval(Self.idle)
      return .json([:], headerFields: [.setCookie: Self.newCookie(&state)])
    }
  }

  private func use(_ request: TransportRequest, _ answer: TransportResponse) -> TransportResponse {
    let now = clock.now
    let value = request.sid
    return state.withLock { state in
      guard let value, state.live.contains(value), now < state.until else {
        return .json(["error": "over"], status: .unauthorized)
      }
      state.until = now.addingTimeInterval(Self.idle)
      guard state.sets else { return answer }
      var answer = answer
      answer.head.headerFields[.setCookie] =
        state.rolls ? Self.newCookie(&state) : Self.cookie(value, maxAge: state.maxAge)
      return answer
    }
  }

  private static func newCookie(_ state: inout State) -> String {
    state.number += 1
    let value = "planted-sid-\(state.number)"
    state.live.insert(value)
    return cookie(value, maxAge: state.maxAge)
  }

  private static func cookie(_ value: String, maxAge: Int?) -> String {
    "sid=\(value); Path=/; HttpOnly\(maxAge.map { "; Max-Age=\($0)" } ?? "")"
  }

  // MARK: The client

  static func dialect(_ change: (inout Dialect) -> Void = { _ in }) -> Dialect {
    var dialect = Dialect(
      name: "sliding",
      signIn: [DialectCall(.post, "/login", body: .json(["user": "{username}", "password": "{password}"]))],
      who: DialectCall(.get, "/me", reads: DialectReads(userID: ["/id"])), end: DialectCall(.post, "/logout"),
      proof: DialectProof(.cookies(["sid"])), renewal: DialectRenewal(by: .cookies))
    change(&dialect)
    return dialect
  }

  /// A manager whose user is asked when a session is needed.
  func manager(
    store: any SessionStore = EphemeralStore(), _ change: (inout Dialect) -> Void = { _ in }
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let server = URL(string: "https://api.test") ?? URL(filePath: "/")
    return SessionManager(
      authenticator: try DialectAuthenticator(dialect: Self.dialect(change), server: server), transport: transport,
      credentials: .onRequest { [questions] _ in
        questions.withLock { $0 += 1 }
        return .password(username: "ann", password: "planted-password")
      }, store: store, configuration: configuration, clock: clock)
  }

  static let things = TransportRequest(
    HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/things"))
}

extension TransportRequest {
  /// The session's cookie.
  fileprivate var sid: String? {
    let pairs = (head.headerFields[.cookie] ?? "").split(separator: ";").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return pairs.first { $0.hasPrefix("sid=") }.map { String($0.dropFirst("sid=".count)) }
  }
}

extension SessionManager {
  /// The status of the answer to a request of the app's.
  func things() async throws -> Int { try await AuthenticatedTransport(self).send(SlidingAPI.things).status.code }

  /// The value of the session's cookie.
  var sid: String? { current?.proof.cookies.cookies.first { $0.name == "sid" }?.value.reveal() }

  /// How many seconds the session has left, as far as is known, in whole numbers.
  func secondsLeft(_ clock: ManualClock) -> Int? {
    current?.expiresAt.map { Int($0.timeIntervalSince(clock.now).rounded()) }
  }
}
