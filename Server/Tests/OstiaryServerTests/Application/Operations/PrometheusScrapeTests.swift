import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// A Prometheus as Debian has it, with the rules that are shipped.
@Suite("Prometheus", .serialized, .timeLimit(.minutes(10)))
struct PrometheusScrapeTests {
  private static let program = ChildProcess.find("prometheus", alsoIn: ["/usr/bin"])
  static let rules = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../Packaging/ostiary.rules.yml").standardizedFileURL

  /// The rules, without the times for which a cause has to last.
  private static func hastyRules() throws -> String {
    try String(contentsOf: rules, encoding: .utf8).replacing(/\n +for: \w+/, with: "")
  }

  private static func start(
    _ targets: [String], in folder: URL, port: Int
  ) async throws -> ChildProcess {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try hastyRules().write(to: folder.appending(path: "rules.yml"), atomically: true, encoding: .utf8)
    let configuration = """
      global: {scrape_interval: 3s, scrape_timeout: 3s, evaluation_interval: 1s}
      rule_files: [rules.yml]
      scrape_configs:
        - job_name: ostiary
          static_configs: [{targets: [\(targets.map { "'\($0)'" }.joined(separator: ", "))]}]
      """
    let file = folder.appending(path: "prometheus.yml")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    return try ChildProcess(
      try #require(program),
      [
        "--config.file=\(file.path(percentEncoded: false))",
        "--storage.tsdb.path=\(folder.appending(path: "data").path(percentEncoded: false))",
        "--web.listen-address=127.0.0.1:\(port)",
      ], error: .file(folder.appending(path: "log")))
  }

  /// Asks until the answer is one that is wanted.
  private static func wait(
    _ client: Client, _ path: String, _ process: ChildProcess, until isWanted: (JSONValue) -> Bool
  ) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(180)
    while process.isRunning, ContinuousClock.now < deadline {
      if let answer = try? await client.get(path), answer.status == 200,
        let json = JSONValue(json: Data(answer.body.utf8)), let data = json["data"], isWanted(data)
      {
        return true
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  private static func servers<Value: Sendable>(
    _ count: Int, _ running: [TestServer] = [], body: ([TestServer]) async throws -> Value
  ) async throws -> Value {
    guard running.count < count else { return try await body(running) }
    return try await TestServer.run({ $0.operations = .address(host: "127.0.0.1", port: 0) }) { server in
      try await servers(count, running + [server], body: body)
    }
  }

  @Test(
    "OP-08: a Prometheus scrapes three servers, and tells when one has gone",
    .enabled(if: program != nil, "Prometheus is not installed."))
  func scrape() async throws {
    let folder = TemporaryFolder()
    let port = try LoopbackPort.free()
    try await Self.servers(3) { servers in
      let targets = try servers.map { server in
        String(try #require(server.running.operations).dropFirst("http://".count))
      }
      let process = try await Self.start(targets, in: folder.url, port: port)
      defer { process.kill() }
      let client = Client(origin: "http://127.0.0.1:\(port)")
      let areUp = try await Self.wait(client, "/api/v1/targets", process) { data in
        let states = data["activeTargets"]?.array?.map { $0["health"]?.string } ?? []
        return states == ["up", "up", "up"]
      }
      #expect(areUp)
      let areRead = try await Self.wait(
        client, "/api/v1/query?query=ostiary_ready%7Bcheck%3D%22database%22%7D", process
      ) {
        let values = $0["result"]?.array ?? []
        return values.count == 3 && values.allSatisfy { $0["value"]?.array?.last == "1" }
      }
      #expect(areRead)
      // One that is too slow for a scrape is told of, too, until the next one.
      func areDown(_ wanted: Set<String>) async throws -> Bool {
        try await Self.wait(client, "/api/v1/alerts", process) { data in
          let all = (data["alerts"]?.array ?? []).filter {
            $0["state"] == "firing" && $0["labels"]?["alertname"]?.string == "OstiaryDown"
          }
          return Set(all.compactMap { $0["labels"]?["instance"]?.string }) == wanted
        }
      }
      #expect(try await areDown([]))
      await servers[1].application.stop()
      #expect(try await areDown([targets[1]]))
    }
  }
}
