import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

@testable import OstiaryClientCommand

/// An API of its own house, as many teams write them: JSON, a token in a field, and a call that renews it.
final class TokenAPI: Sendable {
  struct State {
    /// The number of the last token.
    var number = 0
    /// The number of the token that is good.
    var live = 0
    var ended = 0
    /// Whether the sign-in wants a code.
    var wantsCode = false
    /// Whether the sign-in wants terms to be accepted.
    var wantsTerms = false
    /// Whether the next request for orders is refused, as one whose token is over.
    var refusesOnce = false
  }

  static let password = "planted-password-1"
  let state: Locked<State>
  let server: LoopbackServer

  init() throws {
    let state = Locked(State())
    self.state = state
    server = try LoopbackServer { request in [Self.answer(request, state)] }
  }

  var address: String { "http://127.0.0.1:\(server.port)" }
  var token: String { "planted-token-\(state.withLock { $0.live })" }

  func stop() { server.stop() }

  func count(_ path: String) -> Int { server.requests.count(where: { $0.path == path }) }

  /// The arguments of a sign-in.
  func login(_ more: [String] = [], dialect: String = "api.json") -> [String] {
    ["login", "api", "--dialect", dialect, "--server", address, "--user", "ann"] + more
  }

  private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
    let json = JSONValue(json: request.body)
    let proof = request.fields[.authorization]
    let project = request.fields.first { $0.name.canonicalName == "x-project" }?.value
    return state.withLock { state in
      let isGood = state.live > 0 && proof == "Token planted-token-\(state.live)"
      switch request.path {
      case "/login":
        guard project == "planted-project" || request.query == "open" else {
          return reply(400, #"{"error":"no project"}"#)
        }
        guard json?["user"] == "ann", json?["secret"]?.string == password else {
          return reply(401, #"{"error":"bad_credentials"}"#)
        }
        if state.wantsCode { return reply(200, #"{"step":"code","ticket":"planted-ticket"}"#) }
        if state.wantsTerms { return reply(200, #"{"step":"terms","ticket":"planted-ticket"}"#) }
        return granted(&state)
      case "/step":
        guard json?["ticket"] == "planted-ticket" else { return reply(400, "{}") }
        if state.wantsCode, json?["code"] != "123456" { return reply(401, #"{"error":"bad_code"}"#) }
        return granted(&state)
      case "/renew":
        guard json?["renewal"]?.string == "planted-renewal-\(state.number)" else {
          return reply(401, #"{"error":"ended"}"#)
        }
        return granted(&state)
      case "/me":
        return isGood ? reply(200, #"{"id":7,"name":"Ann","role":"editor"}"#) : reply(401, #"{"error":"expired"}"#)
      case "/orders" where state.refusesOnce:
        state.refusesOnce = false
        return reply(401, #"{"error":"expired"}"#)
      case "/orders": return isGood ? reply(200, #"["two orders"]"#) : reply(401, #"{"error":"expired"}"#)
      case "/logout":
        guard isGood else { return reply(401, #"{"error":"expired"}"#) }
        state.live = 0
        state.ended += 1
        return reply(200, "{}")
      case "/hangs-up": return .close
      default: return reply(404, "{}")
      }
    }
  }

  private static func granted(_ state: inout State) -> LoopbackServer.Action {
    state.number += 1
    state.live = state.number
    let members = #""token":"planted-token-\#(state.live)","renewal":"planted-renewal-\#(state.number)""#
    return reply(200, #"{\#(members),"expires_in":600,"user":{"id":7,"name":"Ann","role":"editor"}}"#)
  }

  private static func reply(_ status: Int, _ body: String) -> LoopbackServer.Action {
    .response(status, [("Content-Type", "application/json")], body: body)
  }

  /// Its dialect.
  static let document = #"""
    {
      "dialect": 1,
      "name": "house",
      "title": "The API of this house",
      "settings": { "project": { "title": "the project", "secret": true } },
      "signIn": [ { "method": "POST", "path": "/login", "headers": { "X-Project": "{project}" },
        "body": { "json": { "user": "{username}", "secret": "{password}" } },
        "reads": { "token": "/token", "renewalToken": "/renewal", "expiry": { "in": "/expires_in" },
                   "userID": "/user/id", "userName": "/user/name", "attributes": { "role": "/user/role" } },
        "meanings": [
          { "when": { "pointer": "/error", "is": "bad_credentials" }, "means": "wrongPassword" },
          { "when": { "pointer": "/step", "is": "code" }, "means": "secondFactor", "kind": "code", "handle": "/ticket",
            "title": "the code of your app" },
          { "when": { "pointer": "/step", "is": "terms" }, "means": "acceptTerms", "kind": "terms", "handle": "/ticket",
            "title": "the terms of use" } ] } ],
      "continue": {
        "code": { "method": "POST", "path": "/step", "body": { "json": { "ticket": "{handle}", "code": "{code}" } },
          "reads": { "token": "/token", "renewalToken": "/renewal", "expiry": { "in": "/expires_in" }, "userID": "/user/id" } },
        "terms": { "method": "POST", "path": "/step", "body": { "json": { "ticket": "{handle}" } },
          "reads": { "token": "/token", "renewalToken": "/renewal", "expiry": { "in": "/expires_in" }, "userID": "/user/id" } } },
      "renew": { "method": "POST", "path": "/renew", "body": { "json": { "renewal": "{renewalToken}" } },
        "reads": { "token": "/token", "renewalToken": "/renewal", "expiry": { "in": "/expires_in" } } },
      "who": { "method": "GET", "path": "/me", "reads": { "userID": "/id", "userName": "/name" } },
      "end": { "method": "POST", "path": "/logout" },
      "proof": { "headers": { "Authorization": "Token {token}" } },
      "meanings": [ { "when": { "pointer": "/error", "is": "expired" }, "means": "expired" },
                    { "when": { "pointer": "/error", "is": "ended" }, "means": "endedForGood" } ],
      "renewal": { "by": "renewalToken", "rotation": "always" }
    }
    """#

  /// Writes the dialect, and a file with the project's name, into a sandbox.
  static func write(in sandbox: Sandbox, _ document: String = TokenAPI.document) throws {
    try Data(document.utf8).write(to: sandbox.folder.appending(path: "api.json"))
    try sandbox.write(secret: "planted-project\n", to: "project")
  }

  /// The setting that the dialect needs, from that file.
  static let setting = ["--setting", "project=@project"]
}
