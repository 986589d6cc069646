import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// RFC 9470: an API wants a stronger sign-in than the profile's.
@Suite("A stronger sign-in by the command", .timeLimit(.minutes(20)))
struct StepUpCommandTests {
  private final class Server: Sendable {
    struct State {
      var address = ""
      var number = 0
      /// The token that is good, and whether its user has signed in strongly.
      var live = ""
      var isStrong = false
      /// Whether the user closes the page.
      var declines = false
    }

    let state: Locked<State>
    let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      server = try LoopbackServer { request in [state.withLock { Self.answer(request, &$0) }] }
      state.withLock { [server] in $0.address = "http://127.0.0.1:\(server.port)" }
    }

    private static func answer(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Action {
      switch request.path {
      case "/.well-known/openid-configuration":
        let endpoints = ["authorization", "token"].map { #""\#($0)_endpoint":"\#(state.address)/\#($0)""# }
        return json(200, #"{"issuer":"\#(state.address)",\#(endpoints.joined(separator: ","))}"#)
      case "/authorization":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let outcome = state.declines ? ("error", "access_denied") : ("code", asked["acr_values"] ?? "weak")
        let answer = FormEncoding.serialize([
          (name: outcome.0, value: outcome.1), (name: "state", value: asked["state"] ?? ""),
        ])
        return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/token":
        state.number += 1
        state.live = "access-\(state.number)"
        state.isStrong = request.text.contains("code=gold")
        return json(
          200,
          #"{"access_token":"\#(state.live)","refresh_token":"r-\#(state.number)","expires_in":600,"scope":"a"}"#)
      default:
        guard request.fields[.authorization] == "Bearer \(state.live)" else {
          return .response(401, [("WWW-Authenticate", "Bearer")], body: "")
        }
        guard !state.isStrong else { return .response(200, body: "two orders") }
        let demand = #"Bearer error="insufficient_user_authentication", acr_values="gold""#
        return .response(401, [("WWW-Authenticate", demand)], body: "")
      }
    }

    private static func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
      .response(status, [("Content-Type", "application/json")], body: body)
    }
  }

  private func signedIn(_ server: Server) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let address = server.state.withLock { $0.address }
    let signIn = await sandbox.run(
      ["login", "oidc", address, "--api", address + "/", "--client-id", "tool"], browser: RedirectedBrowser.visit)
    try #require(signIn.status == 0, "\(signIn.error)")
    return sandbox
  }

  @Test("StepUp-12: request asks the person at the terminal for what the API demands, and why tells of it")
  func asked() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try await signedIn(server)
    let call = await sandbox.run(["request", "/orders"], answers: [], browser: RedirectedBrowser.visit)
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    #expect(call.error.contains("wants a stronger or more recent sign-in for this."))
    let why = await sandbox.run(["why"]).output
    #expect(why.contains("a stronger sign-in was asked for because the server wanted a stronger"), "\(why)")
    #expect(why.contains("signed in because the server wanted a stronger or more recent sign-in"), "\(why)")
    #expect(!why.contains("did not happen"))
    #expect(await sandbox.run(["request", "/orders"]).output.contains("two orders"), "the profile has it")
  }

  @Test("StepUp-12: a person who declines is told so, the session stays, and why tells of it")
  func declined() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try await signedIn(server)
    server.state.withLock { $0.declines = true }
    let call = await sandbox.run(["request", "/orders"], answers: [], browser: RedirectedBrowser.visit)
    #expect(call.status != 0 && call.error.contains("That did not happen"), "\(call.error)")
    let why = await sandbox.run(["why"]).output
    #expect(why.contains("the stronger sign-in did not happen because the credential was not given"), "\(why)")
    #expect(await sandbox.run(["token"]).output == "access-1\n")
  }

  @Test("StepUp-12: without a person at a terminal the API's answer is given, and no page is shown")
  func unattended() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try await signedIn(server)
    let call = await sandbox.run(["request", "/orders", "--include"], browser: RedirectedBrowser.visit)
    #expect(call.output.contains("401"), "\(call.output) \(call.error)")
    #expect(server.server.requests.count(where: { $0.path == "/authorization" }) == 1)
    #expect(!(await sandbox.run(["why"]).output).contains("stronger"))
  }
}
