import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("serve for those who watch it", .serialized, .timeLimit(.minutes(5)))
struct OperationsServeTests {
  private static let curl = "/usr/bin/curl"

  @Test(
    "OP-08: operations are announced and answered, and the log is lines of JSON with the node and the request",
    .enabled(if: FileManager.default.isExecutableFile(atPath: curl), "curl is not installed"))
  func running() async throws {
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url,
      [
        "serve", "--in-memory", "--port", "0", "--dev", "--json", "--operations", "127.0.0.1:0", "--log-format", "json",
        "--node", "one", "--trust-proxy", "127.0.0.1",
      ], in: sandbox)
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let origin = try #require(document["origin"]?.string)
    let operations = try #require(document["operations"]?.string)
    func ask(_ address: String, _ more: String...) async throws -> String {
      try await RunningTool(URL(filePath: Self.curl), ["-qsS", "--noproxy", "*", address] + more, in: sandbox).outcome()
        .output
    }
    // A check that takes two seconds has failed.
    try await waitUntil("a server that is ready") {
      try await ask(operations + "/readyz").hasPrefix("ready\nserving: ok\n")
    }
    let login = origin + "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration"
    _ = try await ask(login, "-H", "X-Request-Id: planted-id", "-u", "ann:a-wrong-word")
    #expect(try await ask(operations + "/metrics").contains("\nostiary_request_duration_seconds_count{door=\"pega\","))
    server.signal(SIGTERM)
    let outcome = try await server.outcome()
    #expect(outcome.status == 0)
    let lines = outcome.error.split(separator: "\n").filter { $0.hasPrefix("{") }
    let log = try lines.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    #expect(!log.isEmpty && log.allSatisfy { $0["node"] == "one" && $0["label"] == "ostiary" })
    #expect(log.contains { $0["request_id"] == "planted-id" })
    #expect(!outcome.error.contains("a-wrong-word"))
  }

  @Test(
    "OP-08: what can't be right is refused before anything starts",
    arguments: [
      (["--operations", "everywhere"], 2, "--operations"), (["--operations", "unix:"], 2, "--operations"),
      (["--insecure-operations-address"], 2, "goes with --operations"), (["--log-format", "xml"], 2, "--log-format"),
      (["--operations", "0.0.0.0:0"], 1, "this machine only"), (["--trace-percent", "0"], 2, "--trace-percent"),
      (["--trace-percent", "5"], 2, "goes with --trace-otlp"),
      (["--trace-otlp", "collector:4318"], 1, "http://127.0.0.1:4318"),
    ])
  func refused(arguments: [String], status: Int32, words: String) async throws {
    let outcome = try await Sandbox().run(["serve", "--in-memory", "--port", "0"] + arguments)
    #expect(outcome.status != 0 && (status == 1 || outcome.status == status), "\(outcome.status)")
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }
}
