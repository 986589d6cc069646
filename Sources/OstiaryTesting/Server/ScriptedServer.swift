public import Foundation
import HTTPTypes
public import OstiaryCore

/// A small server in memory that signs in, renews, verifies and ends sessions, and counts what it did.
///
/// | Request | Answer |
/// |---|---|
/// | `POST /sign-in` `{"username", "password"}` | 200 with tokens; 401 for a wrong password; 423 for a locked account |
/// | `POST /renew` `{"renewal_token"}` | 200 with new tokens; 400 `session_over` when the session is over |
/// | `GET /me` | 200 with the user; 401 |
/// | `POST /sign-out` | 204; 401 |
/// | anything else | 200 for a valid token (the request is *executed*); 401 |
///
/// A renewal token works once. Presented again it is taken for stolen, and the session is over, as RFC 9700 §4.14.2
/// asks of real servers: a client that renews twice is found out. A server that forgives lost answers gives the same
/// new tokens again as long as no request has used them.
///
/// ```swift
/// let server = ScriptedServer(users: ["ann": "apple"])
/// let transport = server.transport()
/// let authenticator = ScriptedAuthenticator()
/// ```
public final class ScriptedServer: Sendable {
  private struct ServerSession: Sendable {
    let id: Int
    let user: String
    var generation = 0
    var accessToken = ""
    var renewalToken = ""
    var expiresAt: Date?
    /// The renewal token that the present tokens were given for, until one of them is used.
    var predecessor: String?
  }

  /// What the server did.
  public struct Counts: Sendable, Equatable {
    /// Sign-ins that succeeded.
    public var signIns = 0
    /// Sign-ins that were refused.
    public var refusedSignIns = 0
    /// Renewals that succeeded.
    public var renewals = 0
    /// Renewals that were refused.
    public var refusedRenewals = 0
    /// Renewal tokens that were presented a second time.
    public var reusedRenewalTokens = 0
    /// Answers to renewals that were given a second time, because the first may have been lost.
    public var repeatedRenewals = 0
    /// Questions after the user.
    public var verifications = 0
    /// Sessions ended by `POST /sign-out`.
    public var signOuts = 0
    /// Other requests that carried a valid token and were executed.
    public var executed = 0
    /// Requests, to `/me` and elsewhere, refused for their token.
    public var refused = 0
  }

  private struct State: Sendable {
    var users: [String: Secret]
    var lockedUsers: Set<String> = []
    var sessions: [Int: ServerSession] = [:]
    var accessTokens: [String: Int] = [:]
    var renewalTokens: [String: Int] = [:]
    var consumedRenewalTokens: [String: Int] = [:]
    var lastSession = 0
    var counts = Counts()
    var executedByUser: [String: Int] = [:]

    mutating func end(_ id: Int) {
      guard let session = sessions.removeValue(forKey: id) else { return }
      accessTokens[session.accessToken] = nil
      renewalTokens[session.renewalToken] = nil
    }
  }

  private let state: Locked<State>
  private let clock: any SessionClock
  private let lifetime: Duration?
  private let renews: Bool
  private let forgivesLostAnswers: Bool
  private let clockOffset: TimeInterval

  /// Makes a server.
  /// - Parameters:
  ///   - users: names and passwords.
  ///   - clock: tells when tokens expire.
  ///   - lifetime: how long an access token is good; `nil`: until the test says otherwise, and the client is not told.
  ///   - renews: whether a sign-in gives a renewal token.
  ///   - forgivesLostAnswers: whether a used renewal token is good for the same answer until that has been used.
  ///   - clockOffset: how far the server's clock is ahead of `clock`, in seconds.
  public init(
    users: [String: Secret] = ["ann": "apple", "ben": "banana"],
    clock: any SessionClock = .system,
    lifetime: Duration? = nil,
    renews: Bool = true,
    forgivesLostAnswers: Bool = false,
    clockOffset: TimeInterval = 0
  ) {
    state = Locked(State(users: users))
    self.clock = clock
    self.lifetime = lifetime
    self.renews = renews
    self.forgivesLostAnswers = forgivesLostAnswers
    self.clockOffset = clockOffset
  }

  /// A transport that leads to this server. Every call makes a new one with counts and faults of its own.
  public func transport(checkpoint: Checkpoint? = nil) -> ScriptedTransport {
    ScriptedTransport(clock: clock, handler: { [self] in respond(to: $0) }, checkpoint: checkpoint)
  }

  // MARK: What was done

  /// What the server did so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// How many requests were executed for a user.
  public func executed(for user: String) -> Int { state.withLock { $0.executedByUser[user] ?? 0 } }

  /// Who has a session now, a user with two sessions twice, in order.
  public var signedInUsers: [String] { state.withLock { $0.sessions.values.map(\.user).sorted() } }

  // MARK: What the test does to it

  /// Makes every access token invalid. Renewal tokens stay good.
  public func expireAccessTokens() {
    state.withLock { $0.accessTokens = [:] }
  }

  /// Ends all sessions, or those of one user. The server has decided: their renewal tokens are over too.
  public func dropSessions(of user: String? = nil) {
    state.withLock { state in
      for session in state.sessions.values where user == nil || session.user == user { state.end(session.id) }
    }
  }

  /// Sets the password of a user, new or known.
  public func setPassword(_ password: Secret, for user: String) {
    state.withLock { $0.users[user] = password }
  }

  /// Locks a user's account: sign-ins get 423.
  public func lockAccount(_ user: String) {
    state.withLock { _ = $0.lockedUsers.insert(user) }
  }

  // MARK: What it answers

  /// Answers a request: the handler of a ``ScriptedTransport``.
  public func respond(to request: TransportRequest) -> TransportResponse {
    let now = clock.now.addingTimeInterval(clockOffset)
    return switch request.routeName {
    case "POST /sign-in": signIn(request.jsonBody, now)
    case "POST /renew": renew(request.jsonBody, now)
    case "GET /me":
      withSession(request, now) { state, session in
        state.counts.verifications += 1
        return .json(["user": .string(session.user)])
      }
    case "POST /sign-out":
      withSession(request, now) { state, session in
        state.counts.signOuts += 1
        state.end(session.id)
        return .status(.noContent)
      }
    default:
      withSession(request, now) { state, session in
        state.counts.executed += 1
        state.executedByUser[session.user, default: 0] += 1
        return .json(["user": .string(session.user), "path": .string(request.pathWithoutQuery)])
      }
    }
  }

  private func signIn(_ body: JSONValue?, _ now: Date) -> TransportResponse {
    guard let user = body?["username"]?.string, let password = body?["password"]?.string else {
      return .json(["error": "invalid_request"], status: .badRequest)
    }
    return state.withLock { state in
      if state.lockedUsers.contains(user) {
        state.counts.refusedSignIns += 1
        return .json(["error": "account_locked"], status: .locked)
      }
      guard state.users[user] == Secret(password) else {
        state.counts.refusedSignIns += 1
        return .json(["error": "invalid_credentials"], status: .unauthorized)
      }
      state.counts.signIns += 1
      state.lastSession += 1
      return issue(ServerSession(id: state.lastSession, user: user), &state, now)
    }
  }

  private func renew(_ body: JSONValue?, _ now: Date) -> TransportResponse {
    guard let token = body?["renewal_token"]?.string else {
      return .json(["error": "invalid_request"], status: .badRequest)
    }
    return state.withLock { state in
      if let reused = state.consumedRenewalTokens[token] {
        let session = state.sessions[reused]
        if forgivesLostAnswers, let session, session.predecessor == token {
          state.counts.repeatedRenewals += 1
          return answer(session, now)
        }
        // A client that asks again for an answer that was lost can't know that the session was ended meanwhile.
        if session != nil || !forgivesLostAnswers { state.counts.reusedRenewalTokens += 1 }
        state.end(reused)
      }
      guard let id = state.renewalTokens.removeValue(forKey: token), var session = state.sessions[id] else {
        state.counts.refusedRenewals += 1
        return .json(["error": "session_over"], status: .badRequest)
      }
      state.counts.renewals += 1
      state.consumedRenewalTokens[token] = id
      state.accessTokens[session.accessToken] = nil
      session.generation += 1
      session.predecessor = token
      return issue(session, &state, now)
    }
  }

  private func issue(_ session: ServerSession, _ state: inout State, _ now: Date) -> TransportResponse {
    var session = session
    session.accessToken = "access-\(session.user)-\(session.id).\(session.generation)"
    session.expiresAt = lifetime.map { now.addingTimeInterval($0.seconds) }
    if renews {
      session.renewalToken = "renewal-\(session.user)-\(session.id).\(session.generation)"
      state.renewalTokens[session.renewalToken] = session.id
    }
    state.accessTokens[session.accessToken] = session.id
    state.sessions[session.id] = session
    return answer(session, now)
  }

  private func answer(_ session: ServerSession, _ now: Date) -> TransportResponse {
    var answer: [String: JSONValue] = [
      "user": .string(session.user),
      "access_token": .string(session.accessToken),
    ]
    if let expiry = session.expiresAt { answer["expires_in"] = .number(expiry.timeIntervalSince(now)) }
    if !session.renewalToken.isEmpty { answer["renewal_token"] = .string(session.renewalToken) }
    return .json(answer, headerFields: [.date: HTTPDate.format(now)])
  }

  private func withSession(
    _ request: TransportRequest, _ now: Date, _ body: (inout State, ServerSession) -> TransportResponse
  ) -> TransportResponse {
    let field = request.head.headerFields[.authorization] ?? ""
    let token = field.hasPrefix("Bearer ") ? String(field.dropFirst(7)) : ""
    return state.withLock { state in
      guard let id = state.accessTokens[token], let session = state.sessions[id],
        session.expiresAt.map({ now < $0 }) ?? true
      else {
        state.counts.refused += 1
        let fields: HTTPFields = [.wwwAuthenticate: "Bearer error=\"invalid_token\""]
        return .json(["error": "invalid_token"], status: .unauthorized, headerFields: fields)
      }
      state.sessions[id]?.predecessor = nil
      return body(&state, session)
    }
  }
}

extension HTTPResponse.Status {
  /// 423 Locked (RFC 4918 §11.3).
  static var locked: HTTPResponse.Status { HTTPResponse.Status(code: 423, reasonPhrase: "Locked") }
}

extension TransportRequest {
  fileprivate var jsonBody: JSONValue? {
    body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
  }
}
