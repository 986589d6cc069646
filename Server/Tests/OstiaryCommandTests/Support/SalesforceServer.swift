import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// Where users of an org log in, and the org itself at another address, over real HTTP: what the command needs of both.
final class SalesforceServer: Sendable {
  private struct State {
    var number = 0
    var live: Set<String> = []
    var refreshable: Set<String> = []
    var org = ""
    var door = ""
    var challenges: [String: String] = [:]
    var pending = 0
    var expiresIn: Int?
    var grants: [String] = []
    var calls: [String] = []
    var holdsRenewals = false
  }

  static let clientID = "3MVG9.example"
  static let password = "green bottles+=!"

  private let state: Locked<State>
  private let org: LoopbackServer
  private let door: LoopbackServer

  init() throws {
    let state = Locked(State())
    self.state = state
    org = try LoopbackServer { request in Self.callOrg(request, state) }
    door = try LoopbackServer { request in Self.callDoor(request, state) }
    let (orgPort, doorPort) = (org.port, door.port)
    state.withLock { state in
      state.org = "http://127.0.0.1:\(orgPort)"
      state.door = "http://127.0.0.1:\(doorPort)"
    }
  }

  func stop() {
    org.stop()
    door.stop()
  }

  /// Where users log in.
  var login: String { state.withLock { $0.door } }
  /// Where the org is.
  var instance: String { state.withLock { $0.org } }
  /// The grants so far.
  var grants: [String] { state.withLock { $0.grants } }
  /// The calls to the org so far.
  var calls: [String] { state.withLock { $0.calls } }
  /// The access tokens that are good.
  var live: Set<String> { state.withLock { $0.live } }

  /// How often a device is told to wait.
  func setPending(_ count: Int) { state.withLock { $0.pending = count } }
  /// Whether renewals get no answer.
  func holdRenewals(_ holds: Bool) { state.withLock { $0.holdsRenewals = holds } }
  func expireSessions() { state.withLock { $0.live = [] } }
  func revokeAll() {
    state.withLock { state in
      state.live = []
      state.refreshable = []
    }
  }

  // MARK: Answers

  private static func callDoor(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
    let form = values(request.text)
    return state.withLock { state in
      switch request.path {
      case "/services/oauth2/authorize":
        let query = values(request.query ?? "")
        guard query["client_id"] == clientID, let redirect = query["redirect_uri"] else { return [json(400, "{}")] }
        state.number += 1
        let code = "aPrx\(state.number)=="
        state.challenges[code] = query["code_challenge"] ?? ""
        let answer = FormEncoding.serialize([("code", code), ("state", query["state"] ?? "")])
        return [.redirect(302, to: "\(redirect)?\(answer)")]
      case "/services/oauth2/token":
        guard state.holdsRenewals, form["grant_type"] == "refresh_token" else { return [token(form, &state)] }
        state.grants.append("refresh_token")
        return [.hold]
      case "/services/oauth2/revoke":
        let isKnown = state.refreshable.remove(form["token"] ?? "") != nil
        state.live = []
        return [isKnown ? .response(200) : json(400, #"{"error":"invalid_token"}"#)]
      default: return [identity(request, state)]
      }
    }
  }

  private static func callOrg(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
    state.withLock { state in
      guard isLive(request, state) else {
        return [json(401, #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#)]
      }
      state.calls.append("\(request.method) \(request.target)")
      let hasInternalField = String(decoding: request.head, as: UTF8.self).lowercased().contains("x-ostiary")
      return [json(200, #"{"path":"\#(request.path)","internal":\#(hasInternalField)}"#)]
    }
  }

  private static func token(_ form: [String: String], _ state: inout State) -> LoopbackServer.Action {
    let grant = form["grant_type"] ?? form["response_type"] ?? ""
    state.grants.append(grant)
    guard form["client_id"] == clientID else { return json(400, #"{"error":"invalid_client_id"}"#) }
    switch grant {
    case "device_code":
      let page = "\(state.door)/setup/connect"
      return json(
        200, #"{"device_code":"d1","user_code":"ABCD1234","verification_uri":"\#(page)","interval":1}"#)
    case "device":
      guard state.pending == 0 else {
        state.pending -= 1
        return json(400, #"{"error":"authorization_pending","error_description":"authorization is pending"}"#)
      }
    case "authorization_code":
      guard let code = form["code"], state.challenges.removeValue(forKey: code) != nil, form["code_verifier"] != nil
      else { return json(400, #"{"error":"invalid_grant","error_description":"invalid authorization code"}"#) }
    case "password":
      guard form["username"] == "ann@example.com", form["password"] == password else {
        return json(400, #"{"error":"invalid_grant","error_description":"authentication failure"}"#)
      }
    case "refresh_token":
      guard state.refreshable.contains(form["refresh_token"] ?? "") else {
        return json(400, #"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#)
      }
    default: return json(400, #"{"error":"unsupported_grant_type"}"#)
    }
    state.number += 1
    let access = "00Dx0000000BV7z!AR8.\(state.number)"
    state.live.insert(access)
    var answer: [String: JSONValue] = [
      "access_token": .string(access), "instance_url": .string(state.org), "token_type": "Bearer",
      "id": .string("\(state.door)/id/00Dx0000000BV7zEAG/005x00000012Q9PAAU"), "issued_at": "1278448384422",
    ]
    if grant != "password", grant != "refresh_token" {
      let refresh = "5Aep\(state.number)=="
      state.refreshable.insert(refresh)
      answer["refresh_token"] = .string(refresh)
    }
    return json(200, String(decoding: (try? JSONEncoder().encode(JSONValue.object(answer))) ?? Data(), as: UTF8.self))
  }

  private static func identity(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Action {
    guard request.path.hasPrefix("/id/") else { return json(404, "{}") }
    guard isLive(request, state) else {
      return .response(403, [("Content-Type", "text/plain")], body: "Bad_OAuth_Token")
    }
    return json(
      200, #"{"user_id":"005x00000012Q9PAAU","organization_id":"00Dx0000000BV7zEAG","username":"ann@example.com"}"#)
  }

  private static func isLive(_ request: LoopbackServer.Request, _ state: State) -> Bool {
    state.live.contains(String((request.fields[.authorization] ?? "").drop { $0 != " " }.dropFirst()))
  }

  private static func values(_ text: String) -> [String: String] {
    Dictionary(FormEncoding.parse(text).map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
    .response(status, [("Content-Type", "application/json;charset=UTF-8")], body: body)
  }
}
