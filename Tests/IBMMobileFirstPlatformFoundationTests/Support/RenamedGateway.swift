import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A gateway whose names are its own: fields, form, cookie, login page and logout, over real HTTP.
final class RenamedGateway: Sendable {
  static let password = "pässword & =%"

  private struct State: Sendable {
    var sessions: Set<String> = []
    var number = 0
    var logins = 0
    var refusals = 0
    var logouts = 0
    var served = 0
    var token = ""
  }

  private let state: Locked<State>
  let server: LoopbackServer

  init(
    userField: String = "kennung", passwordField: String = "geheimnis", form: String = "/sso/einlass.do",
    cookie: String = "EINLASS"
  ) throws {
    let state = Locked(State())
    self.state = state
    server = try LoopbackServer { request in
      state.withLock { state in
        let cookies = (request.fields[.cookie] ?? "").split(separator: ";").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        let session = cookies.first { $0.hasPrefix("\(cookie)=") }.map { String($0.dropFirst(cookie.count + 1)) } ?? ""
        func page(_ message: String = "") -> LoopbackServer.Action {
          state.number += 1
          state.token = "k\(state.number)"
          return .response(
            200, [("Content-Type", "text/html; charset=utf-8")],
            body: """
              <html><body><p>\(message)</p>
              <form method="get" action="/suche"><input name="q"></form>
              <form method="post" action="\(form)"><input type="hidden" name="siegel" value="\(state.token)">
              <input name="\(userField)"><input type="password" name="\(passwordField)"></form></body></html>
              """)
        }
        switch request.path {
        case form where request.method == "POST":
          let fields = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { $1 }
          guard fields["siegel"] == state.token, fields[userField] == "anna", fields[passwordField] == Self.password,
            fields["mandant"] == "7"
          else {
            state.refusals += 1
            return [page("Anmeldung fehlgeschlagen.")]
          }
          state.number += 1
          state.logins += 1
          state.sessions.insert("s\(state.number)")
          return [.redirect(302, to: "/start", [("Set-Cookie", "\(cookie)=s\(state.number); Path=/; HttpOnly")])]
        case "/sso/eingang": return [page()]
        case "/sso/abmelden":
          state.logouts += 1
          state.sessions.remove(session)
          return [.response(200, [("Set-Cookie", "\(cookie)=; Path=/; Max-Age=0")], body: "Auf Wiedersehen")]
        case "/start" where state.sessions.contains(session):
          return [.response(200, [("Content-Type", "text/html")], body: "<p>Willkommen</p>")]
        default:
          guard state.sessions.contains(session) else { return [.redirect(302, to: "/sso/eingang")] }
          state.served += 1
          return [.response(200, [("Content-Type", "application/json")], body: #"{"path":"\#(request.path)"}"#)]
        }
      }
    }
  }

  var logins: Int { state.withLock { $0.logins } }
  var refusals: Int { state.withLock { $0.refusals } }
  var logouts: Int { state.withLock { $0.logouts } }
  var served: Int { state.withLock { $0.served } }
  var sessions: Int { state.withLock { $0.sessions.count } }
  func expireSessions() { state.withLock { $0.sessions = [] } }

  /// What an app would have in its file.
  func configuration(_ change: [String: Any] = [:]) throws -> Data {
    let values: [String: Any] = [
      "server": server.url("/mfp").absoluteString, "sessionCheck": "adapters/who", "formAction": "einlass.do",
      "usernameField": "kennung", "passwordField": "geheimnis", "otherFields": ["mandant": "7"],
      "usernameCredential": "benutzer", "passwordCredential": "kennwort", "logout": "../../sso/abmelden",
      "allowingInsecureHTTPForPasswords": true,
    ]
    return try JSONSerialization.data(withJSONObject: values.merging(change) { $1 })
  }
}
