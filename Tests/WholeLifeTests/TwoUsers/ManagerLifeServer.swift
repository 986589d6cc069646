import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryPega
import OstiaryTesting
import TestSupport

/// The server of a life with two users of one session manager.
///
/// Used by the thread of the life alone.
protocol ManagerLifeServer: AnyObject {
  var authenticator: any Authenticator { get }
  /// The users and their passwords.
  var passwords: [String: String] { get }
  /// Who was signed in with what a request carries; `nil` when it carries nothing.
  func owner(of request: TransportRequest) -> String?
  func answer(_ request: TransportRequest) -> TransportResponse
  /// Sends a call with a number.
  nonisolated(nonsending) func call(_ number: Int, through manager: SessionManager, _ clock: any SessionClock)
    async throws
  /// The number of the call that a request belongs to.
  func number(of request: TransportRequest) -> Int?
  /// Ends the sessions.
  func drop()
  /// The same session becomes another user's at the server, where a server can do that.
  func give(_ session: Session, to user: String)
  /// Whose the attributes of a session are.
  func user(in attributes: [String: JSONValue]) -> String?
}

/// A Pega server.
final class PegaLifeServer: ManagerLifeServer {
  let authenticator: any Authenticator
  let passwords = ["jdoe": "secret", "bob": "hunter2"]
  private let stub: PegaStub
  private let pega: PegaAuthenticator
  private var owners: [String: String] = [:]

  init(_ clock: any SessionClock, form: Bool) throws {
    stub = PegaStub(clock: clock)
    // The stub has no certificate.
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    pega = try PegaAuthenticator(
      server: stub.url, method: form ? .form : .basic, configuration: configuration)
    authenticator = pega
  }

  func owner(of request: TransportRequest) -> String? { stub.cookie(of: request).flatMap { owners[$0] } }

  func answer(_ request: TransportRequest) -> TransportResponse {
    let response = stub.respond(to: request)
    for field in response.head.headerFields[values: .setCookie] where field.hasPrefix("Pega-RULES=") {
      let cookie = String(field.dropFirst("Pega-RULES=".count).prefix { $0 != ";" })
      if let user = stub.user(ofCookie: cookie) { owners[cookie] = user }
    }
    return response
  }

  /// By a SnapStart address or a request of the app's own.
  nonisolated(nonsending) func call(_ number: Int, through manager: SessionManager, _ clock: any SessionClock)
    async throws
  {
    if number.isMultiple(of: 2) {
      let loader = SnapStartLoader(
        server: pega.address, configuration: pega.configuration,
        context: AuthenticationContext(transport: manager.transport, clock: clock))
      _ = try await loader.load(
        SnapStartAction(.runActivity("Show", className: "Work"), properties: [.init("call", "\(number)")]),
        through: manager)
    } else {
      let url = stub.url.appending(path: "api/v1/cases").appending(queryItems: [
        URLQueryItem(name: "call", value: "\(number)")
      ])
      _ = try await AuthenticatedTransport(manager).send(.get(url))
    }
  }

  func number(of request: TransportRequest) -> Int? {
    guard let path = request.head.path, let range = path.range(of: "call=") else { return nil }
    return Int(path[range.upperBound...].prefix { $0.isNumber })
  }

  func drop() { stub.dropSessions() }

  func give(_ session: Session, to user: String) {
    for cookie in session.proof.cookies.cookies where cookie.name == "Pega-RULES" {
      stub.give(cookie.value.reveal(), to: user)
    }
  }

  func user(in attributes: [String: JSONValue]) -> String? { attributes["operator"]?.string }
}

/// An authorization server with its API.
final class OAuthLifeServer: ManagerLifeServer {
  let authenticator: any Authenticator
  let passwords = ["ann": "apple", "ben": "banana"]
  private var owners: [String: String] = [:]
  private var good: Set<String> = []

  init() throws {
    let client = try OAuthClient(
      id: "app",
      endpoints: OAuthEndpoints(
        token: WholeLife.url("/oauth/token"), revocation: WholeLife.url("/oauth/revoke"),
        userInfo: WholeLife.url("/oauth/userinfo")))
    var authenticator = try OAuthAuthenticator(server: WholeLife.url("/"), client: client)
    authenticator.insecurelyTakesPasswords = true
    self.authenticator = authenticator
  }

  private static func token(_ request: TransportRequest) -> String? {
    request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
  }

  func owner(of request: TransportRequest) -> String? { Self.token(request).flatMap { owners[$0] } }

  func answer(_ request: TransportRequest) -> TransportResponse {
    let token = Self.token(request)
    let user = token.flatMap { good.contains($0) ? owners[$0] : nil }
    switch request.pathAlone {
    case "/oauth/token": return give(request.formFields)
    case "/oauth/revoke":
      let shown = owners[request.formFields["token"] ?? ""].map { [$0] } ?? []
      good = good.filter { token in !shown.contains { owners[token] == $0 } }
      return .status(.ok)
    case "/oauth/userinfo": return user.map { .json(["sub": .string($0)]) } ?? Self.refusal
    default: return user.map { .json(["owner": .string($0)]) } ?? Self.refusal
    }
  }

  private static var refusal: TransportResponse {
    .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer realm=\"api\", error=\"invalid_token\""])
  }

  private func give(_ fields: [String: String]) -> TransportResponse {
    var user: String?
    switch fields["grant_type"] {
    case "password": user = fields["username"].flatMap { passwords[$0] == fields["password"] ? $0 : nil }
    case "refresh_token":
      let shown = fields["refresh_token"] ?? ""
      user = good.remove(shown).flatMap { owners[$0] }
    default: break
    }
    guard let user else { return .json(["error": "invalid_grant"], status: .badRequest) }
    let (access, refresh) = ("access.\(user).\(owners.count)", "refresh.\(user).\(owners.count)")
    for token in [access, refresh] {
      owners[token] = user
      good.insert(token)
    }
    return .json([
      "access_token": .string(access), "refresh_token": .string(refresh), "token_type": "Bearer",
      "expires_in": .integer(3_600),
    ])
  }

  nonisolated(nonsending) func call(_ number: Int, through manager: SessionManager, _ clock: any SessionClock)
    async throws
  {
    _ = try await AuthenticatedTransport(manager).send(.get(WholeLife.url("/api/\(number)")))
  }

  func number(of request: TransportRequest) -> Int? {
    let path = request.pathAlone
    return path.hasPrefix("/api/") ? Int(path.dropFirst("/api/".count)) : nil
  }

  func drop() { good = good.filter { $0.hasPrefix("refresh") } }
  func give(_ session: Session, to user: String) { good = [] }
  func user(in attributes: [String: JSONValue]) -> String? { nil }
}
