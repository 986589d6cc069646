import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("The example that lists cases", .timeLimit(.minutes(20)))
struct SalesforceCasesTests {
  /// An org whose only user lets a device in at once, and whose access tokens are good as long as the test wants.
  private final class Org: Sendable {
    private struct State {
      var url = ""
      var number = 0
      var live: Set<String> = []
    }

    private let state: Locked<State>
    private let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      let server = try LoopbackServer { request in [Self.answer(request, at: state.withLock { $0.url }, state)] }
      self.server = server
      state.withLock { $0.url = "http://127.0.0.1:\(server.port)" }
    }

    var url: String { state.withLock { $0.url } }
    var requests: [LoopbackServer.Request] { server.requests }
    func expire() { state.withLock { $0.live = [] } }
    func stop() { server.stop() }

    private static func answer(
      _ request: LoopbackServer.Request, at url: String, _ state: Locked<State>
    ) -> LoopbackServer.Action {
      if request.path == "/services/oauth2/token" {
        guard !request.text.contains("response_type=device_code") else {
          return json(
            #"{"device_code":"d","user_code":"ABCD1234","verification_uri":"\#(url)/setup/connect","interval":1}"#)
        }
        return json(
          state.withLock { state in
            state.number += 1
            let token = "00D!\(state.number)"
            state.live.insert(token)
            let refresh = request.text.contains("grant_type=device") ? #""refresh_token":"5Aep==","# : ""
            return #"{"access_token":"\#(token)",\#(refresh)"instance_url":"\#(url)","#
              + #""id":"\#(url)/id/00Dx0000000BV7zEAG/005x00000012Q9PAAU","token_type":"Bearer"}"#
          })
      }
      let field = request.fields[.authorization] ?? ""
      let isLive = state.withLock { $0.live.contains(String(field.dropFirst("Bearer ".count))) }
      return isLive
        ? json(#"{"recentItems":[]}"#) : json(#"[{"errorCode":"INVALID_SESSION_ID","message":"over"}]"#, 401)
    }

    private static func json(_ body: String, _ status: Int = 200) -> LoopbackServer.Action {
      .response(status, [("Content-Type", "application/json")], body: body)
    }
  }

  @Test("Signs in on another device once; the next run finds the session, and renews what the org refuses")
  func twoRuns() async throws {
    let org = try Org()
    defer { org.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-cases-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = [org.url, "3MVG9.example", folder.path(percentEncoded: false)]
    let first = try await Example.run("SalesforceCases", arguments, input: "")
    #expect(first.status == 0, "\(first.output)")
    #expect(first.output.contains("Open \(org.url)/setup/connect and enter ABCD1234"))
    #expect(first.lines.last == #"200 OK {"recentItems":[]}"#)

    org.expire()
    let second = try await Example.run("SalesforceCases", arguments, input: "")
    #expect(second.status == 0, "\(second.output)")
    #expect(!second.output.contains("ABCD1234"))
    #expect(second.lines.last == #"200 OK {"recentItems":[]}"#)
    #expect(org.requests.filter { $0.text.contains("grant_type=refresh_token") }.count == 1)
    #expect(!(first.output + second.output).contains("00D!"))
  }
}
