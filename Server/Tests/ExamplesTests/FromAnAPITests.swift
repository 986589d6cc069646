import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("The example that knows nothing but an API's address", .timeLimit(.minutes(20)))
struct FromAnAPITests {
  /// An API and its authorization server, which registers clients and whose page no person has to read.
  private final class Server: Sendable {
    private struct State {
      var address = ""
      var number = 0
      var live = ""
    }

    private let state: Locked<State>
    let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      server = try LoopbackServer { request in [Self.answer(request, state)] }
      state.withLock { [server] in $0.address = "http://127.0.0.1:\(server.port)" }
    }

    func expire() { state.withLock { $0.live = "" } }

    private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
      let address = state.withLock { $0.address }
      switch request.path {
      case "/orders":
        guard !state.withLock({ $0.live.isEmpty || request.fields[.authorization] != "Bearer \($0.live)" }) else {
          let document = "\(address)/.well-known/oauth-protected-resource/orders"
          return .response(401, [("WWW-Authenticate", "Bearer resource_metadata=\"\(document)\"")], body: "")
        }
        return .response(200, body: "two orders")
      case "/.well-known/oauth-protected-resource/orders":
        return json(200, #"{"resource":"\#(address)/orders","authorization_servers":["\#(address)"]}"#)
      case "/.well-known/oauth-authorization-server":
        let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"\#(address)/\#($0)""# }
        return json(200, #"{"issuer":"\#(address)",\#(endpoints.joined(separator: ","))}"#)
      case "/registration": return json(201, #"{"client_id":"c-1","token_endpoint_auth_method":"none"}"#)
      case "/authorization":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = FormEncoding.serialize([(name: "code", value: "c"), (name: "state", value: asked["state"] ?? "")])
        return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/token":
        return state.withLock { state in
          state.number += 1
          state.live = "access-\(state.number)"
          return json(200, #"{"access_token":"\#(state.live)","refresh_token":"r-\#(state.number)","expires_in":3600}"#)
        }
      default: return .response(404, body: "")
      }
    }

    private static func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
      .response(status, [("Content-Type", "application/json")], body: body)
    }
  }

  @Test(
    "FIND-30: the user is asked and the client registered once; the next run renews with one request",
    .enabled(if: CurlBrowser.program != nil, Comment(rawValue: CurlBrowser.absence)))
  func twoRuns() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-api-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let browser = try await CurlBrowser.environment(in: folder, try #require(CurlBrowser.program))
    let arguments = [
      "http://127.0.0.1:\(server.server.port)/orders", folder.appending(path: "state").path(percentEncoded: false),
    ]
    let declined = try await Example.run("FromAnAPI", arguments, input: "n", environment: browser)
    #expect(declined.status == 1, "\(declined.output)")
    let first = try await Example.run("FromAnAPI", arguments, input: "y", environment: browser)
    #expect(first.status == 0, "\(first.output)")
    #expect(first.lines.last == "200 OK two orders")
    server.expire()
    let second = try await Example.run("FromAnAPI", arguments, input: "", environment: browser)
    #expect(second.status == 0, "\(second.output)")
    #expect(second.lines.last == "200 OK two orders")
    let document = "/.well-known/oauth-protected-resource/orders"
    #expect(
      server.server.requests.map(\.path) == [
        "/orders", document, "/orders", document, "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server", "/registration", "/authorization", "/token", "/orders",
        "/orders", "/token", "/orders",
      ])
    #expect(!(first.output + second.output).contains("access-"))

    // Another API, in the same folder: its server is another one, and the user is asked again.
    let other = try Server()
    defer { other.server.stop() }
    let third = try await Example.run(
      "FromAnAPI", ["http://127.0.0.1:\(other.server.port)/orders", arguments[1]], input: "n",
      environment: browser)
    #expect(third.status == 1, "\(third.output)")
    #expect(other.server.requests.map(\.path) == ["/orders", document])
    for name in try FileManager.default.subpathsOfDirectory(atPath: arguments[1]) where !name.contains("/") {
      let attributes = try FileManager.default.attributesOfItem(atPath: arguments[1] + "/" + name)
      #expect(try #require(attributes[.posixPermissions] as? Int) & 0o077 == 0, "\(name)")
    }
  }
}
