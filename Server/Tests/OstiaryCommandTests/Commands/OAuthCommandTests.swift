import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("login oauth", .timeLimit(.minutes(20)))
struct OAuthCommandTests {
  /// An API and its authorization server, which says nothing of itself.
  private final class Server: Sendable {
    let live: Locked<(number: Int, token: String)>
    let server: LoopbackServer

    init() throws {
      let live = Locked((number: 0, token: ""))
      self.live = live
      server = try LoopbackServer { request in [Self.answer(request, live)] }
    }

    var address: String { "http://127.0.0.1:\(server.port)" }

    func count(_ path: String) -> Int { server.requests.count(where: { $0.path == path }) }

    private static func answer(
      _ request: LoopbackServer.Request, _ live: Locked<(number: Int, token: String)>
    ) -> LoopbackServer.Action {
      switch request.path {
      case "/authorize":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = FormEncoding.serialize([(name: "code", value: "c"), (name: "state", value: asked["state"] ?? "")])
        return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/token":
        return live.withLock { live in
          live.number += 1
          live.token = "access-\(live.number)"
          let tokens = #""access_token":"\#(live.token)","refresh_token":"refresh-\#(live.number)","expires_in":600"#
          return .response(
            200, [("Content-Type", "application/json")], body: #"{"token_type":"Bearer","scope":"a",\#(tokens)}"#)
        }
      case "/revoke": return .response(200, body: "")
      case "/userinfo":
        return .response(
          200, [("Content-Type", "application/json")], body: #"{"sub":"4711","name":"Ann"}"#)
      case "/api/orders":
        let isGood = live.withLock { request.fields[.authorization] == "Bearer \($0.token)" }
        return isGood ? .response(200, body: "two orders") : .response(401, [("WWW-Authenticate", "Bearer")], body: "")
      default: return .response(404, body: "")
      }
    }
  }

  private func login(_ server: Server, _ more: [String] = []) -> [String] {
    ["login", "oauth", "--api", server.address + "/api/", "--client-id", "tool", "-o", "token-url=/token"] + more
  }

  @Test("OAUTH-C01: a server without metadata is one by its addresses: sign-in, renewal, token, status and the end")
  func browser() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(
      login(server, ["-o", "authorize-url=\(server.address)/authorize", "-o", "revoke-url=/revoke"]),
      browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    let call = await sandbox.run(["request", "/api/orders"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    server.live.withLock { $0.token = "" }
    let again = await sandbox.run(["request", "/api/orders"])
    #expect(again.status == 0 && again.output.contains("two orders"), "\(again.error)")
    let token = await sandbox.run(["token"])
    #expect(token.output == server.live.withLock { $0.token } + "\n", "\(token.error)")
    let status = await sandbox.run(["status"])
    #expect(status.status == 0 && status.output.contains("Scope"), "\(status.output) \(status.error)")
    #expect(await sandbox.run(["logout"]).status == 0)
    #expect(server.count("/revoke") > 0 && server.count("/token") == 2)
    #expect(!server.server.requests.contains { $0.path.hasPrefix("/.well-known") })
    let said = signIn.output + signIn.error + call.error + again.error + status.output
    #expect(!said.contains("access-") && !said.contains("refresh-"))
  }

  @Test(
    "OAUTH-C03: whose a profile is says the list, though no user was typed, and status has the name beside the number")
  func person() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(
      login(server, ["-o", "authorize-url=/authorize", "-o", "userinfo-url=/userinfo"]),
      browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    let list = await sandbox.run(["profile", "list"])
    #expect(list.output.split(separator: "\n").last?.contains("  Ann  ") == true, "\(list.output)")
    let status = await sandbox.run(["status"])
    #expect(status.output.contains("4711") && status.output.contains("Name"), "\(status.output) \(status.error)")
  }

  @Test("OAUTH-C04: a client's secret that other users can read is refused, except to end the session")
  func openSecret() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let secret = "planted-secret\n"
    let words = login(
      server,
      ["-o", "authorize-url=/authorize", "-o", "revoke-url=/revoke", "-o", "client-secret-file=secret"])
    try sandbox.write(secret: secret, to: "secret", mode: 0o644)
    let refused = await sandbox.run(words, browser: RedirectedBrowser.visit)
    #expect(refused.status == 2 && refused.error.contains("Other users can read the secret"), "\(refused.error)")
    #expect(refused.error.contains("chmod 600") && server.server.requests.isEmpty)
    try sandbox.write(secret: secret, to: "secret")
    let signIn = await sandbox.run(words, browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    try sandbox.write(secret: secret, to: "secret", mode: 0o640)
    #expect(await sandbox.run(["token"]).status == 2)
    // The server is told of the end all the same.
    let logout = await sandbox.run(["logout"])
    #expect(logout.status == 0 && server.count("/revoke") > 0, "\(logout.error)")
    // What systemd hands over shows rights of the group, which are the service's own.
    let folder = "/" + sandbox.path.split(separator: "/").joined(separator: "/")
    let own = await sandbox.run(
      words, variables: ["CREDENTIALS_DIRECTORY": folder], browser: RedirectedBrowser.visit)
    #expect(own.status == 0, "\(own.error)")
    let said = refused.error + signIn.error + logout.error + own.error
    #expect(!said.contains("planted"), "\(said)")
  }

  @Test("OAUTH-C05: a session ends here, too, when the client's secret is gone", arguments: [nil, ""])
  func lostSecret(content: String?) async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    try sandbox.write(secret: "planted-secret\n", to: "secret")
    let signIn = await sandbox.run(
      login(server, ["-o", "authorize-url=/authorize", "-o", "client-secret-file=secret"]),
      browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "secret"))
    if let content { try sandbox.write(secret: content, to: "secret") }
    let logout = await sandbox.run(["logout"])
    #expect(logout.status == 0, "\(logout.error)")
    #expect(logout.error.contains(content == nil ? "can't be read" : "no key or secret"), "\(logout.error)")
    try sandbox.write(secret: "planted-secret\n", to: "secret")
    #expect(await sandbox.run(["status"]).status == 3)
  }

  @Test("OAUTH-C02: a client signs in as itself; what lacks is told before anything is sent")
  func others() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let api = ["login", "oauth", "--api", server.address]
    let mistakes: [([String], String)] = [
      (login(server, ["--register"]), "without metadata"), (["login", "oauth", server.address], "without metadata"),
      (login(server, ["--server", server.address]), "are the same"), (login(server), "another --method"),
      (api + ["--client-id", "tool"], "token-url"), (api + ["-o", "token-url=/token"], "client-id"),
      (login(server, ["-o", "device-url=mailto:ann"]), "device-url"),
      (login(server, ["-o", "issuer=https://login.example"]), "issuer"),
      (login(server, ["--method", "password"]), "client-credentials"),
      (api + ["--client-id", "tool", "-o", "token-url=http://login.example/token"], "Use https"),
    ]
    for (arguments, words) in mistakes {
      let outcome = await sandbox.run(arguments)
      #expect(outcome.status == 2 && outcome.error.contains(words), "\(arguments): \(outcome.error)")
    }
    #expect(server.server.requests.isEmpty)
    let signIn = await sandbox.run(login(server, ["--method", "client-credentials", "--scope", "a"]))
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(await sandbox.run(["token"]).output == "access-1\n")
  }
}
