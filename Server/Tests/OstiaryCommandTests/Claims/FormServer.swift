import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A server behind a login form that another program could have written, over real HTTP: `/` and what is below it is
/// protected, `/login` has the form, `/logout` does what the test says.
final class FormServer: Sendable {
  /// What it does where servers differ.
  struct Ways: Sendable {
    /// Answers a wrong password with 200 and a page without a form, as it does the right one.
    var thanksEverybody = false
    /// Answers strangers with a bare 401 instead of a redirect.
    var isBare = false
    /// Whether `/logout` ends the session, or only says so.
    var endsSessions = true
  }

  private let ways: Ways
  /// The value of the cookie that is good; nil when the session is over.
  private let live = Locked<String?>(nil)
  private let count = Locked(0)
  private let own = Locked<LoopbackServer?>(nil)

  init(_ ways: Ways = Ways()) throws {
    self.ways = ways
    let server = try LoopbackServer { [weak self] request in self?.respond(request) ?? [.reset] }
    own.withLock { $0 = server }
  }

  func stop() { own.withLock { $0.take() }?.stop() }

  var address: String { "http://127.0.0.1:\(own.withLock { $0?.port ?? 0 })" }
  var requests: [LoopbackServer.Request] { own.withLock { $0?.requests ?? [] } }

  /// The arguments of a sign-in.
  var login: [String] { ["login", "gateway", "--server", address + "/", "--user", "ann", "--profile", "form"] }

  /// Whether a session is good.
  var hasSession: Bool { live.withLock { $0 != nil } }

  /// Ends the session at the server.
  func expire() { live.withLock { $0 = nil } }

  private func respond(_ request: LoopbackServer.Request) -> [LoopbackServer.Action] {
    let html = [("Content-Type", "text/html")]
    switch (request.method, request.path) {
    case ("POST", "/login"):
      guard request.text.contains("p=apple") else {
        return ways.thanksEverybody
          ? [.response(200, html, body: "<p>Thank you.</p>")] : [.redirect(303, to: "/login?failed")]
      }
      let value = count.withLock { count in
        count += 1
        return "good\(count)"
      }
      live.withLock { $0 = value }
      let cookie = [("Set-Cookie", "s=\(value); Path=/")]
      return ways.thanksEverybody
        ? [.response(200, html + cookie, body: "<p>Thank you.</p>")] : [.redirect(303, to: "/", cookie)]
    case (_, "/login"):
      let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
      return [.response(200, html, body: form)]
    case (_, "/logout"):
      if ways.endsSessions { expire() }
      return [.response(200, html, body: "<p>Goodbye.</p>")]
    default:
      if let value = live.withLock({ $0 }), request.fields[.cookie] == "s=\(value)" {
        return [.response(body: "inside")]
      }
      return ways.isBare ? [.response(401)] : [.redirect(302, to: "/login?return=\(request.path)")]
    }
  }
}
