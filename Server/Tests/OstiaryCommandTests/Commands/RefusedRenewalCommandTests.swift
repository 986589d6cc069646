import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// A server that answers an empty 400 to a used refresh token ends no session; its user is told how to go on.
@Suite("Renewals that a server refuses without a reason, in the command", .timeLimit(.minutes(20)))
struct RefusedRenewalCommandTests {
  /// An API and its authorization server.
  private final class Server: Sendable {
    struct State {
      var address = ""
      var number = 0
      var live = ""
      var refuses = false
      var userInfo = true
      /// Whether the user declines on the server's page.
      var declines = false
    }

    let state: Locked<State>
    let server: LoopbackServer

    init(userInfo: Bool = true) throws {
      let state = Locked(State(userInfo: userInfo))
      self.state = state
      server = try LoopbackServer { request in [Self.answer(request, state)] }
      state.withLock { [server] in $0.address = "http://127.0.0.1:\(server.port)" }
    }

    var address: String { state.withLock { $0.address } }

    func count(_ path: String) -> Int { server.requests.count(where: { $0.path == path }) }

    /// The access tokens are over, and what renews them is refused.
    func refuse() {
      state.withLock { state in
        state.live = ""
        state.refuses = true
      }
    }

    private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
      state.withLock { state in
        let isGood = !state.live.isEmpty && request.fields[.authorization] == "Bearer \(state.live)"
        let refusal = LoopbackServer.Action.response(401, [("WWW-Authenticate", "Bearer")], body: "")
        switch request.path {
        case "/.well-known/openid-configuration":
          let names = ["authorization", "token"] + (state.userInfo ? ["userinfo"] : [])
          let endpoints = names.map { #""\#($0)_endpoint":"\#(state.address)/\#($0)""# }.joined(separator: ",")
          return json(#"{"issuer":"\#(state.address)",\#(endpoints)}"#)
        case "/authorization":
          let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
          let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
          let outcome = state.declines ? (name: "error", value: "access_denied") : (name: "code", value: "c")
          let answer = FormEncoding.serialize([outcome, (name: "state", value: asked["state"] ?? "")])
          return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
        case "/token":
          if state.refuses, request.text.contains("grant_type=refresh_token") { return .response(400, body: "") }
          state.number += 1
          state.live = "access-\(state.number)"
          let tokens = #""access_token":"\#(state.live)","refresh_token":"refresh-\#(state.number)""#
          return json(#"{\#(tokens),"token_type":"Bearer","expires_in":600}"#)
        case "/userinfo": return isGood ? json(#"{"sub":"ann"}"#) : refusal
        case "/orders": return isGood ? .response(200, body: "two orders") : refusal
        default: return .response(404, body: "")
        }
      }
    }

    private static func json(_ body: String) -> LoopbackServer.Action {
      .response(200, [("Content-Type", "application/json")], body: body)
    }
  }

  private func login(_ server: Server) -> [String] {
    [
      "login", "oidc", "--server", server.address + "/", "--option", "issuer=\(server.address)", "--option",
      "client-id=tool", "--option", "scope=offline_access",
    ]
  }

  /// The command that an advice has.
  private func command(in text: String) throws -> [String] {
    let line = try #require(text.split(separator: "\n").first { $0.contains(": ostiary ") })
    let start = try #require(line.range(of: ": ostiary "))
    // Words of this command have quotation marks around them, or none.
    return line[start.upperBound...].split(separator: " ").map { String($0).replacing("'", with: "") }
  }

  @Test(
    "LOST-5: the third refusal in a minute or more ends with exit 3 and the command that signs in again; so does why")
  func exits() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let (sandbox, clock) = (try Sandbox(), ManualClock(now: Date()))
    let begun = await sandbox.run(login(server), clock: clock, browser: RedirectedBrowser.visit)
    #expect(begun.status == 0, "\(begun.error)")
    server.refuse()
    for _ in 0..<2 {
      let call = await sandbox.run(["request", "/orders"], clock: clock)
      #expect(call.status == 6, "\(call.error)")
      #expect(call.error.contains("without a reason") && call.error.contains("If the server goes on"), "\(call.error)")
      clock.advance(by: .seconds(40))
    }
    let call = await sandbox.run(["request", "/orders"], clock: clock)
    #expect(call.status == 3, "\(call.error)")
    #expect(call.error.contains("it is kept until there is a new one"), "\(call.error)")
    #expect(call.error.contains("It has done so 3 times since"), "\(call.error)")
    let status = await sandbox.run(["status"], clock: clock)
    #expect(status.status == 3 && status.error.contains(": ostiary login oidc"), "\(status.error)")
    let why = await sandbox.run(["why"], clock: clock)
    #expect(why.output.contains("renewing the session did not succeed because the server goes on refusing it"))
    #expect(!why.output.contains("signed out"), "\(why.output)")

    let words = try command(in: call.error)
    #expect(try command(in: why.output) == words)
    server.state.withLock { $0.declines = true }
    let declined = await sandbox.run(words, clock: clock, browser: RedirectedBrowser.visit)
    #expect(declined.status == 3, "\(declined.error)")
    server.state.withLock { $0.declines = false }
    let kept = await sandbox.run(["status", "--offline"], clock: clock)
    #expect(kept.status == 0, "\(kept.output) \(kept.error)")
    let again = await sandbox.run(words, clock: clock, browser: RedirectedBrowser.visit)
    #expect(again.status == 0, "\(again.error)")
    let after = await sandbox.run(["request", "/orders"], clock: clock)
    #expect(after.status == 0 && after.output.contains("two orders"), "\(after.error)")
    let last = await sandbox.run(["why"], clock: clock)
    #expect(!last.output.contains(": ostiary login"), "\(last.output)")
  }

  @Test(
    "LOST-5: a person may sign in at once, also where the server can't be asked about its tokens",
    arguments: [true, false])
  func atOnce(asks: Bool) async throws {
    let server = try Server(userInfo: asks)
    defer { server.server.stop() }
    let (sandbox, clock) = (try Sandbox(), ManualClock(now: Date()))
    let begun = await sandbox.run(login(server), clock: clock, browser: RedirectedBrowser.visit)
    #expect(begun.status == 0, "\(begun.error)")
    let second = await sandbox.run(login(server), clock: clock, browser: RedirectedBrowser.visit)
    #expect(second.status != 0, "a session that is good is not signed in over")
    server.refuse()
    clock.advance(by: .seconds(700))
    let again = await sandbox.run(login(server), clock: clock, browser: RedirectedBrowser.visit)
    #expect(again.status == 0, "\(again.error)")
    let after = await sandbox.run(["request", "/orders"], clock: clock)
    #expect(after.status == 0, "\(after.error)")
  }

  @Test("LOST-5: the command that signs in again has all that the profile keeps, and nothing secret")
  func words() throws {
    var profile = Profile(
      name: "o'work", kind: AuthenticatorKind(APIKind.name), server: try #require(URL(string: "https://api.host/v1")),
      user: "ann", method: nil,
      options: [
        "dialect": "/home/ann/our api.json", "dialect-sha256": "planted-digest",
        "servers": "auth=https%3A%2F%2Fa.host%2F",
        "settings": "project=planted-project", "insecure-http": "allowed",
      ],
      certificateFile: "/etc/ours.pem")
    profile.behind = "corp"
    profile.passwordSource = .file("/run/secret")
    #expect(
      profile.loginCommand
        == "ostiary login api --server https://api.host/v1 --user ann --option 'dialect=/home/ann/our api.json' "
        + "--option 'insecure-http=allowed' --server 'auth=https://a.host/' --setting 'project=@FILE' "
        + "--ca-file /etc/ours.pem --behind corp --password-file /run/secret --profile 'o'\\''work'")
  }
}
