import Foundation
import HTTPTypes
import OstiaryCore
public import OstiaryTesting

/// A gateway with a login form in front of a server, over real HTTP: whatever is asked without its cookie is answered
/// with the form, in one of the ways in which gateways do that.
public final class FormGateway: Sendable {
  /// The password of `fred`.
  public static let password = "sm%th+ &=é"

  /// How it says that somebody has to sign in.
  public enum Manner: String, CaseIterable, Sendable {
    case page, unauthorized, forbidden, redirect, failure

    public var status: Int {
      switch self {
      case .page, .redirect: 200
      case .unauthorized: 401
      case .forbidden: 403
      case .failure: 500
      }
    }
  }

  /// What can be changed while it runs.
  public struct Settings: Sendable {
    public var manner = Manner.page
    /// Where the form is posted, as the end of a path.
    public var action = "pkmslogin.form"
    public var userField = "username"
    public var passwordField = "password"
    /// The attributes of its cookie.
    public var cookieAttributes = "; Path=/; HttpOnly"
    /// What a login is answered with.
    public var redirectsAfterLogin = false
    /// Shows the form whatever cookie comes.
    public var neverLetsIn = false
    /// After so many wrong passwords the account is locked.
    public var attempts = Int.max
    /// Holds the challenges of requests to this path.
    public var slowPath: (path: String, gate: Gate)?
    /// Holds what a login is answered with.
    public var loginGate: Gate?
  }

  private struct State: Sendable {
    var settings = Settings()
    var sessions: Set<String> = []
    var number = 0
    var challenges = 0
    var logins = 0
    var refusals = 0
    var served: [String: Int] = [:]
    var bodies: [String] = []
  }

  private let state: Locked<State>
  /// The real HTTP.
  public let server: LoopbackServer

  /// Starts a gateway.
  public init(_ change: (inout Settings) -> Void = { _ in }) throws {
    var settings = Settings()
    change(&settings)
    let state = Locked(State(settings: settings))
    self.state = state
    server = try LoopbackServer { request in state.withLock { Self.answer(request, &$0) } }
  }

  /// Changes how it behaves.
  public func change(_ change: @Sendable (inout Settings) -> Void) { state.withLock { change(&$0.settings) } }

  /// How many requests were answered with the form.
  public var challenges: Int { state.withLock { $0.challenges } }
  /// How many logins succeeded.
  public var logins: Int { state.withLock { $0.logins } }
  /// How many logins were refused.
  public var refusals: Int { state.withLock { $0.refusals } }
  /// How often a path was served to somebody signed in.
  public func served(_ path: String) -> Int { state.withLock { $0.served[path] ?? 0 } }
  public var servedInAll: Int { state.withLock { $0.served.values.reduce(0, +) } }
  /// The bodies of requests that were served.
  public var bodies: [String] { state.withLock { $0.bodies } }
  /// Ends everybody's session.
  public func expireSessions() { state.withLock { $0.sessions = [] } }

  /// Waits until a logout has been answered.
  public func waitForLogout() async throws {
    for count in 1... {
      if try await server.waitForRequests(count).contains(where: { $0.path.hasSuffix("pkmslogout") }) { return }
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
    if request.path == "/login" { return [form(200, settings)] }
    if request.path == "/welcome" { return [.response(200, body: "Welcome")] }
    if !settings.neverLetsIn, state.sessions.contains(token) {
      state.served[request.path, default: 0] += 1
      state.bodies.append(request.text)
      return [.response(200, [("Content-Type", "application/json")], body: #"{"target":"\#(request.target)"}"#)]
    }
    state.challenges += 1
    var actions: [LoopbackServer.Action] = []
    if let slow = settings.slowPath, request.path.hasSuffix(slow.path) { actions.append(.wait(slow.gate)) }
    let stale = token.isEmpty ? [] : [("Set-Cookie", "LtpaToken2=; Path=/; Max-Age=0")]
    actions.append(
      settings.manner == .redirect
        ? .redirect(302, to: "/login?TAM_OP=login", stale) : form(settings.manner.status, settings, fields: stale))
    return actions
  }

  private static func login(_ request: LoopbackServer.Request, _ state: inout State) -> [LoopbackServer.Action] {
    let settings = state.settings
    let fields = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { $1 }
    var actions: [LoopbackServer.Action] = []
    if let gate = settings.loginGate { actions.append(.wait(gate)) }
    guard state.refusals < settings.attempts else {
      return actions + [.response(200, [("Content-Type", "text/html")], body: "<p>This account is locked.</p>")]
    }
    guard fields[settings.userField] == "fred", fields[settings.passwordField] == password else {
      state.refusals += 1
      return actions + [form(200, settings, message: "Login failed.")]
    }
    state.number += 1
    state.logins += 1
    state.sessions.insert("t\(state.number)")
    let cookie = ("Set-Cookie", "LtpaToken2=t\(state.number)\(settings.cookieAttributes)")
    return actions + [
      settings.redirectsAfterLogin
        ? .redirect(302, to: "/welcome", [cookie])
        : .response(200, [cookie, ("Content-Type", "text/html")], body: "<p>Welcome</p>")
    ]
  }

  private static func form(
    _ status: Int, _ settings: Settings, message: String = "", fields: [(String, String)] = []
  ) -> LoopbackServer.Action {
    .response(
      status, [("Content-Type", "text/html; charset=utf-8")] + fields,
      body: """
        <html><body>\(message)<FORM METHOD=POST ACTION="/\(settings.action)">
        <input name="\(settings.userField)"><input type="password" name="\(settings.passwordField)"></FORM></body></html>
        """)
  }
}
