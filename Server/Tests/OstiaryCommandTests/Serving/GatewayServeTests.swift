import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("serve with a gateway", .serialized, .timeLimit(.minutes(5)))
struct GatewayServeTests {
  private static let curl = "/usr/bin/curl"

  @Test(
    "An upstream named on the command line is announced, and asks for a sign-in",
    .enabled(if: FileManager.default.isExecutableFile(atPath: curl), "curl is not installed"))
  func upstream() async throws {
    let upstream = try LoopbackServer { _ in [.response(200, body: "upstream")] }
    defer { upstream.stop() }
    let address = "http://127.0.0.1:\(upstream.port)"
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url,
      [
        "serve", "--in-memory", "--port", "0", "--dev", "--json", "--gateway-upstream", "/app=\(address)",
        "--gateway-upstream", address + "/all", "--gateway-public", "/app/health", "--gateway-style", "webseal",
        "--gateway-challenge", "form", "--gateway-success", "inline", "--gateway-allow", "@example.org",
        "--gateway-origin", "https://app.example.org",
      ], in: sandbox)
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let origin = try #require(document["origin"]?.string)
    let first = try #require(document["upstreams"]?.array?.first)
    #expect(first["address"]?.string == origin + "/app")
    #expect(first["upstream"]?.string == address)
    let last = try #require(document["upstreams"]?.array?.last)
    #expect(last["address"]?.string == origin + "/")
    #expect(last["upstream"]?.string == address + "/all")
    let door = try #require(document["doors"]?.array?.first { $0["name"] == "gateway" })
    #expect(door["title"] == "Gateway (WebSEAL)")

    func ask(_ path: String) async throws -> String {
      try await RunningTool(URL(filePath: Self.curl), ["-qsS", "--noproxy", "*", origin + path], in: sandbox).outcome()
        .output
    }
    #expect(try await ask("/app/health") == "upstream")
    #expect(upstream.requests.map(\.target) == ["/health"])
    #expect(try await ask("/app/other").contains("pkmslogin.form"))
    #expect(try await ask("/other").contains("pkmslogin.form"))
    #expect(upstream.requests.count == 1)
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }

  @Test(
    "What can't be right is refused before anything starts",
    arguments: [
      ["--gateway-upstream", "nonsense"], ["--gateway-upstream", "/app=nonsense"],
      ["--gateway-upstream", "ftp://127.0.0.1"], ["--gateway-style", "other"], ["--gateway-challenge", "x"],
      ["--gateway-allow", "a@b@c.example"], ["--gateway-public", "/*"], ["--gateway-origin", "http://app.example.org"],
      ["--gateway-upstream", "/gateway/auth/envoy=http://127.0.0.1:1"],
      ["--gateway-upstream", "http://127.0.0.1:1", "--gateway-upstream-ca", "/nowhere.pem"],
    ])
  func refused(options: [String]) async throws {
    let sandbox = try Sandbox()
    let outcome = try await Tool.run(["serve", "--in-memory", "--port", "0", "--dev"] + options, in: sandbox)
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(!outcome.error.isEmpty)
  }
}
