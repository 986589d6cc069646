import Foundation
import HTTPTypes
import OstiaryCore
package import OstiaryTesting

/// A gateway with a login form in front of a server, over real HTTP: what is asked without its cookie is answered
/// with the form, in one of the ways in which gateways do that.
package final class MobileFirstGateway: Sendable {
  /// The password of `fred`.
  package static let password = "sm%th+ &=é"

  /// How it says that a user has to sign in.
  package enum Manner: String, CaseIterable, Sendable {
    case page, unauthorized, forbidden, redirect, failure

    package var status: Int {
      switch self {
      case .page, .redirect: 200
      case .unauthorized: 401
      case .forbidden: 403
      case .failure: 500
      }
    }
  }

  /// What a login is answered with.
  package enum Landing: String, CaseIterable, Sendable {
    /// A page that says so.
    case page
    /// A redirect to such a page.
    case redirect
    /// A redirect to what was asked for at last: following it is asking again.
    case original
  }

  /// What can be changed while it runs.
  package struct Settings: Sendable {
    package var manner = Manner.page
    /// Where the form is posted, as the end of a path.
    package var action = "pkmslogin.form"
    package var userField = "username"
    package var passwordField = "password"
    /// The attributes of its cookie.
    package var cookieAttributes = "; Path=/; HttpOnly"
    /// What a login is answered with.
    package var landing = Landing.page
    /// Whether the form has a token in its action, which is good once, and without which no user logs in (WebSEAL's
    /// secret-token validation, which answers 400).
    package var demandsToken = false
    /// How many tokens are not accepted, though they are right.
    package var spoiltTokens = 0
    /// Whether programs are told in JSON where the login page is.
    package var isTyped = false
    /// Whether a user hears with the last wrong password that the account is locked, and not with the next.
    package var locksEarly = false
    /// Shows the form to every cookie.
    package var neverLetsIn = false
    /// After so many wrong passwords the account is locked.
    package var attempts = Int.max
    /// Holds the challenges of requests to this path.
    package var slowPath: (path: String, gate: Gate)?
    /// Holds what a login is answered with.
    package var loginGate: Gate?
  }

  private struct State: Sendable {
    var settings = Settings()
    var sessions: Set<String> = []
    var number = 0
    var tokens: Set<String> = []
    var wanted = "/"
    var challenges = 0
    var logins = 0
    var refusals = 0
    var served: [String: Int] = [:]
    var bodies: [String] = []
  }

  private let state: Locked<State>
  /// The real HTTP.
  package let server: LoopbackServer

  /// Starts a gateway.
  package init(_ change: (inout Settings) -> Void = { _ in }) throws {
    var settings = Settings()
    change(&settings)
    let state = Locked(State(settings: settings))
    self.state = state
    server = try LoopbackServer { request in state.withLock { Self.answer(request, &$0) } }
  }

  /// Changes how it behaves.
  package func change(_ change: @Sendable (inout Settings) -> Void) { state.withLock { change(&$0.settings) } }

  /// How many requests were answered with the form.
  package var challenges: Int { state.withLock { $0.challenges } }
  /// How many logins succeeded.
  package var logins: Int { state.withLock { $0.logins } }
  /// How many logins were refused.
  package var refusals: Int { state.withLock { $0.refusals } }
  /// How many answers of the login page told of an old session.
  package var oldSessions: Int { server.requests.count { $0.target.contains("OLDSESSION=1") } }
  /// How often a path was served to a user who was signed in.
  package func served(_ path: String) -> Int { state.withLock { $0.served[path] ?? 0 } }
  package var servedInAll: Int { state.withLock { $0.served.values.reduce(0, +) } }
  /// The bodies of requests that were served.
  package var bodies: [String] { state.withLock { $0.bodies } }
  /// Ends every user's session.
  package func expireSessions() { state.withLock { $0.sessions = [] } }

  /// Waits until a logout has been answered.
  package func waitForLogout() async throws {
    for count in 1... {
      let requests = try await server.waitForRequests(count, timeout: .seconds(120))
      if requests.contains(where: { $0.path.hasSuffix("pkmslogout") }) { return }
    }
  }

  private static func answer(_ request: LoopbackServer.Request, _ state: inout State) -> [LoopbackServer.Action] {
    let settings = state.settings
    let cookies = (request.fields[.cookie] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    let token = cookies.first { $0.hasPrefix("LtpaToken2=") }.map { String($0.dropFirst("LtpaToken2=".count)) } ?? ""
    if request.path.hasSuffix(settings.action) { return login(request, &state) }
    if request.path.hasSuffix("pkmslogout") {
      state.sessions.remove(token)
      return [.response(200, [("Set-Cookie", "LtpaToken2=; Path=/; Max-Age=0")], body: "You have signed out.")]
    }
    if request.path == "/login" { return [form(200, &state)] }
    if request.path == "/welcome" { return [.response(200, body: "Welcome")] }
    if !settings.neverLetsIn, state.sessions.contains(token) {
      state.served[request.path, default: 0] += 1
      state.bodies.append(request.text)
      return [.response(200, [("Content-Type", "application/json")], body: #"{"target":"\#(request.target)"}"#)]
    }
    state.challenges += 1
    state.wanted = request.target
    var actions: [LoopbackServer.Action] = []
    if let slow = settings.slowPath, request.path.hasSuffix(slow.path) { actions.append(.wait(slow.gate)) }
    if settings.isTyped {
      let page = "http://\(request.fields[HTTPField.Name("Host") ?? .accept] ?? "")/login"
      return actions + [
        .response(
          401, [("Content-Type", "application/json")], body: #"{"challenge":"login-form","login":"\#(page)"}"#)
      ]
    }
    let stale = token.isEmpty ? [] : [("Set-Cookie", "LtpaToken2=; Path=/; Max-Age=0")]
    actions.append(
      settings.manner == .redirect
        ? .redirect(302, to: "/login?TAM_OP=login&OLDSESSION=\(token.isEmpty ? "" : "1")", stale)
        : form(settings.manner.status, &state, fields: stale))
    return actions
  }

  private static func login(_ request: LoopbackServer.Request, _ state: inout State) -> [LoopbackServer.Action] {
    let settings = state.settings
    let fields = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { $1 }
    var actions: [LoopbackServer.Action] = []
    if let gate = settings.loginGate { actions.append(.wait(gate)) }
    if settings.demandsToken {
      let token = state.tokens.remove(String(request.target.drop { $0 != "?" }))
      if token == nil || settings.spoiltTokens > 0 {
        state.settings.spoiltTokens = max(0, settings.spoiltTokens - 1)
        return actions + [.response(400, [("Content-Type", "text/html")], body: "<p>Bad Request</p>")]
      }
    }
    let locked = LoopbackServer.Action.response(
      200, [("Content-Type", "text/html")], body: "<p>This account is locked.</p>")
    guard state.refusals < settings.attempts else { return actions + [locked] }
    guard fields[settings.userField] == "fred", fields[settings.passwordField] == password else {
      state.refusals += 1
      guard !settings.locksEarly || state.refusals < settings.attempts else { return actions + [locked] }
      return actions + [form(200, &state, message: "Login failed.")]
    }
    state.number += 1
    state.logins += 1
    state.sessions.insert("t\(state.number)")
    let cookie = ("Set-Cookie", "LtpaToken2=t\(state.number)\(settings.cookieAttributes)")
    switch settings.landing {
    case .page:
      return actions + [.response(200, [cookie, ("Content-Type", "text/html")], body: "<p>Welcome</p>")]
    case .redirect: return actions + [.redirect(302, to: "/welcome", [cookie])]
    case .original: return actions + [.redirect(302, to: state.wanted, [cookie])]
    }
  }

  private static func form(
    _ status: Int, _ state: inout State, message: String = "", fields: [(String, String)] = []
  ) -> LoopbackServer.Action {
    let settings = state.settings
    var query = ""
    if settings.demandsToken {
      state.number += 1
      query = "?token=\(state.number)"
      state.tokens.insert(query)
    }
    return .response(
      status, [("Content-Type", "text/html; charset=utf-8")] + fields,
      body: """
        <html><body>\(message)<FORM METHOD=POST ACTION="/\(settings.action)\(query)">
        <input name="\(settings.userField)"><input type="password" name="\(settings.passwordField)"></FORM></body></html>
        """)
  }
}
