import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("The example that signs in with a browser", .timeLimit(.minutes(20)))
struct SignInWithBrowserTests {
  /// An authorization server whose page no person has to read, and its API. Refresh tokens are good once.
  private final class Server: Sendable {
    private struct State {
      var number = 0
      var live = ""
      var refreshToken = ""
    }

    private let state: Locked<State>
    let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      server = try LoopbackServer { request in [Self.answer(request, state)] }
    }

    func expire() { state.withLock { $0.live = "" } }

    private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
      switch request.path {
      case "/authorize":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = FormEncoding.serialize([(name: "code", value: "c"), (name: "state", value: asked["state"] ?? "")])
        return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/token":
        let isRefresh = request.text.contains("grant_type=refresh_token")
        return state.withLock { state in
          guard
            isRefresh ? request.text.contains("refresh_token=\(state.refreshToken)") : request.text.contains("code=c")
          else { return .response(400, [("Content-Type", "application/json")], body: #"{"error":"invalid_grant"}"#) }
          state.number += 1
          state.live = "access-\(state.number)"
          state.refreshToken = "refresh-\(state.number)"
          let body = #"{"access_token":"\#(state.live)","refresh_token":"\#(state.refreshToken)","expires_in":3600}"#
          return .response(200, [("Content-Type", "application/json")], body: body)
        }
      default:
        let isGood = state.withLock { request.fields[.authorization] == "Bearer \($0.live)" }
        return isGood ? .response(200, body: "two things") : .response(401, [("WWW-Authenticate", "Bearer")], body: "")
      }
    }
  }

  @Test(
    "The browser is opened once; the next run finds the tokens, and renews them when they are refused",
    .enabled(if: CurlBrowser.program != nil, Comment(rawValue: CurlBrowser.absence)))
  func twoRuns() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-browser-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let browser = try await CurlBrowser.environment(in: folder, try #require(CurlBrowser.program))
    let address = "http://127.0.0.1:\(server.server.port)"
    let arguments = [address, address, "tool", folder.appending(path: "sessions").path(percentEncoded: false)]

    let first = try await Example.run("SignInWithBrowser", arguments, input: "", environment: browser)
    #expect(first.status == 0, "\(first.output)")
    #expect(first.lines.last == "200 OK two things")
    server.expire()
    let second = try await Example.run("SignInWithBrowser", arguments, input: "", environment: browser)
    #expect(second.status == 0, "\(second.output)")
    #expect(second.lines.last == "200 OK two things")
    let paths = server.server.requests.map(\.path)
    #expect(paths == ["/authorize", "/token", "/things", "/things", "/token", "/things"])
    #expect(!(first.output + second.output).contains("access-"))
  }
}
