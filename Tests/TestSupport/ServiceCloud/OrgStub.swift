import Foundation
import HTTPTypes
import OstiaryCore
package import OstiaryTesting

/// A Salesforce org over real HTTP, with as much of its interfaces as tests of the drop-in modules need: tokens, who a
/// token's user is, cases, and devices for push notifications.
package final class OrgStub: Sendable {
  private struct State {
    var url = ""
    var number = 0
    /// Access tokens that are good, and whose they are.
    var live: [String: String] = [:]
    /// Refresh tokens that are good, and whose they are.
    var refreshable: [String: String] = [:]
    var devices: [String: String] = [:]
    var cases: [String] = []
    var log: [String] = []
    var failure: (path: String, status: Int, body: String)?
    var hold: (path: String, gate: Gate)?
    var names = Names()
    var authorized: [String: String] = [:]
  }

  /// What differs between orgs.
  package struct Names: Sendable {
    /// What comes before the paths of the login services: a community's path.
    package var prefix = ""
    /// The connected app's consumer key.
    package var consumerKey = OrgStub.clientID
    /// Where the browser may be sent, without the port that a loopback address gets.
    package var callback: String?
    /// What the app may ask for, in order.
    package var scopes: String?
    /// The version of the interface.
    package var apiVersion = "58.0"

    /// The usual names.
    package init() {}
  }

  /// The org's identifier.
  package static let orgID = "00Dx0000000BV7zEAG"
  /// The identifier of the first user, `ann@example.com`.
  package static let annID = "005x00000012Q9PAAU"
  /// The identifier of the second user, `bob@example.com`.
  package static let bobID = "005x0000001Sv1mAAC"
  /// The connected app.
  package static let clientID = "3MVG9.example"

  private let state: Locked<State>
  private let server: LoopbackServer

  package init(_ names: Names = Names()) throws {
    var first = State()
    first.names = names
    let state = Locked(first)
    self.state = state
    let server = try LoopbackServer { request in OrgStub.held(request, state) + OrgStub.answer(request, state) }
    self.server = server
    state.withLock { $0.url = "http://127.0.0.1:\(server.port)" }
  }

  package func stop() { server.stop() }

  /// The org's address.
  package var url: String { state.withLock { $0.url } }

  /// What was asked for so far: methods and paths, and for tokens the grant.
  package var log: [String] { state.withLock { $0.log } }

  /// Notes something between the requests, so that one list has the order of everything.
  package func note(_ text: String) { state.withLock { $0.log.append(text) } }

  /// Subjects of the cases, in order.
  package var cases: [String] { state.withLock { $0.cases } }

  /// The tokens of devices that are registered, by record.
  package var devices: [String: String] { state.withLock { $0.devices } }

  /// Signs a user in and returns the token answer.
  package func tokens(of user: String = OrgStub.annID, refreshable: Bool = false) -> [String: String] {
    state.withLock { Self.issue(to: user, refreshable: refreshable, &$0) }
  }

  /// Ends every session; refresh tokens stay good.
  package func expireSessions() { state.withLock { $0.live = [:] } }

  /// Ends everything.
  package func revokeAll() {
    state.withLock { state in
      state.live = [:]
      state.refreshable = [:]
    }
  }

  /// Answers requests to paths that begin like this with a failure, until told otherwise.
  package func fail(_ path: String?, _ status: Int = 500, _ body: String = "") {
    state.withLock { $0.failure = path.map { ($0, status, body) } }
  }

  /// Holds the answers to requests to paths that begin like this at a gate.
  package func hold(_ path: String, at gate: Gate) {
    state.withLock { $0.hold = (path, gate) }
  }

  private static func held(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
    state.withLock { $0.hold }.flatMap { request.path.hasPrefix($0.path) ? [.wait($0.gate)] : nil } ?? []
  }

  private static func issue(to user: String, refreshable: Bool, _ state: inout State) -> [String: String] {
    state.number += 1
    let access = "00Dx0000000BV7z!access.\(state.number)"
    state.live[access] = user
    var answer = [
      "access_token": access, "instance_url": state.url, "id": "\(state.url)/id/\(orgID)/\(user)",
      "token_type": "Bearer",
      "issued_at": "1278448384422", "scope": "id api refresh_token",
    ]
    if refreshable {
      let refresh = "5Aep861.\(state.number)=="
      state.refreshable[refresh] = user
      answer["refresh_token"] = refresh
    }
    return answer
  }
}

// MARK: What it answers

extension OrgStub {
  private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
    let form = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { first, _ in first }
    let grant = form["grant_type"].map { " \($0)" } ?? ""
    return state.withLock { state in
      state.log.append("\(request.method) \(request.path)\(grant)")
      if let failure = state.failure, request.path.hasPrefix(failure.path) {
        return [json(failure.status, failure.body)]
      }
      let prefix = state.names.prefix
      switch request.path {
      case prefix + "/services/oauth2/authorize": return [authorize(request, &state)]
      case prefix + "/services/oauth2/token": return [token(form, &state)]
      case "/auth": return [object(issue(to: annID, refreshable: false, &state))]
      case prefix + "/services/oauth2/revoke":
        let token = form["token"] ?? ""
        let isKnown =
          state.live.removeValue(forKey: token) != nil || state.refreshable.removeValue(forKey: token) != nil
        return [isKnown ? .response(200) : json(400, #"{"error":"invalid_token"}"#)]
      default: break
      }
      let field = request.fields[.authorization] ?? ""
      guard let user = state.live[String(field.drop { $0 != " " }.dropFirst())] else { return [refusal(request.path)] }
      return [resource(request, user, &state)]
    }
  }

  /// Sends the browser back with a code, if the app asks as the org knows it.
  private static func authorize(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Action {
    let query = Dictionary(FormEncoding.parse(request.query ?? "").map { ($0.name, $0.value) }) { first, _ in first }
    let callback = query["redirect_uri"].flatMap { URLComponents(string: $0) }
    var known = callback
    known?.port = nil
    guard query["client_id"] == state.names.consumerKey, query["response_type"] == "code",
      state.names.callback == nil || known?.string == state.names.callback,
      state.names.scopes == nil || query["scope"] == state.names.scopes, var answer = callback
    else { return .response(400, [("Content-Type", "text/plain")], body: "unknown app") }
    state.number += 1
    let code = "aPrx.\(state.number)"
    state.authorized[code] = query["redirect_uri"]
    answer.percentEncodedQuery = FormEncoding.serialize([
      (name: "code", value: code), (name: "state", value: query["state"] ?? ""),
    ])
    return .response(302, [("Location", answer.string ?? "")])
  }

  private static func token(_ form: [String: String], _ state: inout State) -> LoopbackServer.Action {
    if form["grant_type"] == "authorization_code" {
      let isKnown = form["code"].flatMap { state.authorized.removeValue(forKey: $0) } == form["redirect_uri"]
      guard isKnown, form["client_id"] == state.names.consumerKey, form["code_verifier"] != nil else {
        return json(400, #"{"error":"invalid_grant","error_description":"authentication failure"}"#)
      }
      return object(issue(to: annID, refreshable: true, &state))
    }
    guard form["grant_type"] == "refresh_token" else { return json(400, #"{"error":"unsupported_grant_type"}"#) }
    guard let user = state.refreshable[form["refresh_token"] ?? ""] else {
      return json(400, #"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#)
    }
    return object(issue(to: user, refreshable: false, &state))
  }

  private static func resource(
    _ request: LoopbackServer.Request, _ user: String, _ state: inout State
  ) -> LoopbackServer.Action {
    let parts = request.path.split(separator: "/").map(String.init)
    if parts.first == "id" || request.path == "/services/oauth2/userinfo" {
      let name = user == annID ? "ann@example.com" : "bob@example.com"
      return object([
        "id": "\(state.url)/id/\(orgID)/\(user)", "sub": "\(state.url)/id/\(orgID)/\(user)", "user_id": user,
        "organization_id": orgID, "username": name, "preferred_username": name,
        "display_name": user == annID ? "Ann Example" : "Bob Example", "email": name, "language": "en_US",
      ])
    }
    guard parts.count >= 5, parts[2] == "v\(state.names.apiVersion)", parts[3] == "sobjects" else {
      return json(404, #"[{"errorCode":"NOT_FOUND"}]"#)
    }
    let body = JSONValue(json: request.body)
    switch (request.method, parts[4]) {
    case ("POST", "Case"):
      state.cases.append(body?["Subject"]?.string ?? "")
      return json(201, #"{"id":"500x000000000\#(100 + state.cases.count)AAA","success":true}"#)
    case ("GET", "Case"): return object(["user": user, "path": request.path])
    case ("POST", "MobilePushServiceDevice"):
      state.number += 1
      let record = "0KRx\(state.number)"
      state.devices[record] = body?["ConnectionToken"]?.string ?? ""
      return json(201, #"{"id":"\#(record)","success":true}"#)
    case ("DELETE", "MobilePushServiceDevice"):
      return state.devices.removeValue(forKey: parts.last ?? "") != nil
        ? .response(204) : json(404, #"[{"errorCode":"NOT_FOUND"}]"#)
    default: return json(404, #"[{"errorCode":"NOT_FOUND"}]"#)
    }
  }

  private static func refusal(_ path: String) -> LoopbackServer.Action {
    guard path.hasPrefix("/services/data") else {
      return .response(403, [("Content-Type", "text/plain")], body: "Bad_OAuth_Token")
    }
    return json(401, #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#)
  }

  private static func object(_ members: [String: String]) -> LoopbackServer.Action {
    json(200, String(decoding: (try? JSONEncoder().encode(members)) ?? Data(), as: UTF8.self))
  }

  private static func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
    .response(status, [("Content-Type", "application/json;charset=UTF-8")], body: body)
  }
}
