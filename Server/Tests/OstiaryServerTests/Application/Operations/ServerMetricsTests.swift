import CoreMetrics
import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Server metrics", .timeLimit(.minutes(20)))
struct ServerMetricsTests {
  private static func metrics(_ server: TestServer) async throws -> PrometheusReading {
    // What has happened is counted when it is sealed.
    await server.application.sealer.stop()
    let watcher = Client(origin: try #require(server.running.operations))
    return try PrometheusReading(try await watcher.get("/metrics").body)
  }

  @Test("OP-08: sign-ins, refusals and their reasons, and spent budgets are counted by door")
  func signIns() async throws {
    let metrics = try await TestServer.runWithJane({ $0.operations = .address(host: "127.0.0.1", port: 0) }) { server in
      for number in 0..<8 {
        #expect(try await server.client().login("jdoe", "wrong \(number)").status != 200)
      }
      #expect(try await server.client().loginByForm("jane", TestServer.janesPassword).status < 500)
      server.clock.advance(by: 3600)
      #expect(try await server.client().login("jdoe", TestServer.janesPassword).status == 200)
      _ = try await server.client().get("/nowhere")
      return try await Self.metrics(server)
    }
    #expect(metrics.value("ostiary_sign_ins_total", ["door": "pega", "outcome": "begun"]) == 1)
    #expect(metrics.value("ostiary_sign_ins_total", ["door": "pega", "outcome": "refused"]) == 9)
    let (kind, wrong, spent) = ("password_refused", "credential_refused", "too_many_attempts")
    let right = metrics.value("ostiary_refusals_total", ["event": kind, "reason": wrong]) ?? 0
    let late = metrics.value("ostiary_refusals_total", ["event": kind, "reason": spent]) ?? 0
    #expect(right + late == 9 && right >= 5 && late > 0)
    #expect(metrics.value("ostiary_spent_budgets_total", ["door": "pega", "event": kind]) == late)
    #expect(metrics.value("ostiary_audit_events_total", ["event": kind]) == 9)
    #expect(metrics.value("ostiary_audit_events_total", ["event": "session_begun"]) == 1)
    #expect(metrics.value("ostiary_request_duration_seconds_count", ["door": "none", "status": "4xx"]) == 1)
    #expect(metrics.value("ostiary_request_duration_seconds_count", ["door": "pega", "status": "2xx"]) ?? 0 >= 1)
    #expect(metrics.value("ostiary_hash_wait_seconds_count") ?? 0 >= 6)
    #expect(metrics.value("ostiary_hash_queue_passwords") == 0)
    #expect(metrics.value("ostiary_start_time_seconds") ?? 0 > 1_700_000_000)
  }

  @Test("OP-08: tokens are counted by door and outcome, and the look-ups of caches by their result")
  func tokens() async throws {
    try await SalesforceTester.run(server: { $0.operations = .address(host: "127.0.0.1", port: 0) }) { tester in
      let tokens = try await tester.signIn()
      for _ in 0..<3 { #expect(try await tester.refresh(tokens["refresh_token"]?.string).status == 200) }
      #expect(try await tester.refresh("no such token").status == 400)
      for _ in 0..<5 { _ = try await tester.call("/services/data/v60.0/sobjects", tokens["access_token"]?.string) }
      let metrics = try await Self.metrics(tester.server)
      func count(_ outcome: String) -> Double? {
        metrics.value("ostiary_tokens_total", ["door": "salesforce", "outcome": outcome])
      }
      #expect(count("issued") == 1 && count("refreshed") == 3 && count("refused") == 1)
      func lookups(_ result: String) -> Double {
        metrics.value("ostiary_cache_lookups_total", ["cache": "token", "result": result]) ?? 0
      }
      #expect(lookups("hit") >= 4)
      #expect(metrics.value("ostiary_cache_lookups_total", ["cache": "client", "result": "hit"]) ?? 0 >= 1)
      #expect(metrics.value("ostiary_cache_lookups_total", ["cache": "client", "result": "miss"]) ?? 0 >= 1)
    }
  }

  @Test("OP-08: what only a database's server can answer has names of its own among the codes")
  func codes() {
    for code in [ServerError.Code.storageUnavailable, .storageOverloaded, .storageMoved] {
      #expect(RequestFailure(ServerError(code, "x")).rawValue == code.rawValue)
    }
  }

  @Test("OP-08: what ends requests is counted by its code, and limits by their name")
  func failures() async throws {
    struct Other: Error {}
    let broken = [
      Route("/busy", [.get: { _ in throw ServerError(.storageBusy, "It is busy.", retryAfter: .seconds(1)) }]),
      Route("/other", [.get: { _ in throw Other() }]),
    ]
    try await TestServer.run(
      { $0.operations = .address(host: "127.0.0.1", port: 0) }, furtherRoutes: broken
    ) { server in
      let watcher = Client(origin: try #require(server.running.operations))
      _ = try await server.client().post("/account/login", form: [("a", String(repeating: "x", count: 2 << 20))])
      for (path, status) in [("/busy", 503), ("/busy", 503), ("/other", 500)] {
        #expect(try await server.client().get(path).status == status)
      }
      let metrics = try PrometheusReading(try await watcher.get("/metrics").body)
      #expect(metrics.value("ostiary_request_failures_total", ["code": "storage_busy"]) == 2)
      #expect(metrics.value("ostiary_request_failures_total", ["code": "other"]) == 1)
      #expect(metrics.value("ostiary_request_duration_seconds_count", ["door": "server", "status": "5xx"]) == 3)
      #expect(metrics.value("ostiary_limits_reached_total", ["limit": "body_bytes"]) == 1)
      #expect(metrics.value("ostiary_limits_reached_total", ["limit": "connections"]) == 0)
      let again = try PrometheusReading(try await watcher.get("/metrics").body)
      #expect(again.value("ostiary_limits_reached_total", ["limit": "body_bytes"]) == 1)
    }
  }

  @Test("OP-08: no password, token, address, user or client is in a metric, a cause of readiness, or a log of JSON")
  func plantedSecrets() async throws {
    let lines = Locked<[String]>([])
    let (password, user) = ("planted-pass-word-7319", "planted.user@example.com")
    var secrets = [password, SalesforceTester.secret]
    var texts: [String] = []
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.operations = .address(host: "127.0.0.1", port: 0)
    configuration.trustedProxies = ["127.0.0.1"]
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(
      configuration,
      logger: .init(label: "test") { label in
        JSONLogHandler(label: label, node: "one", level: .trace) { line in lines.withLock { $0.append(line) } }
      })
    let running = try await application.start()
    do {
      try await application.identity.addUser(
        name: user, displayName: "Planted", email: user, password: Secret(password))
      let client = Client(origin: running.origin.description)
      let proxy = ["X-Forwarded-For": "203.0.113.77"]
      for word in [password, "planted-wrong-word-1"] {
        let answer = try await client.get(
          Client.loginActivity, headers: Client.basic(user, word).merging(proxy) { $1 })
        secrets += [word] + (await client.cookies.values).filter { $0.count > 8 }
        #expect(answer.status < 500)
      }
      _ = try await client.get("/nowhere/\(password)?Password=\(password)&user=\(user)", headers: proxy)
      await application.sealer.stop()
      let watcher = Client(origin: try #require(running.operations))
      for path in ["/metrics", "/readyz", "/nowhere?\(password)"] { texts.append(try await watcher.get(path).body) }
      try await application.storage.close()
      for path in ["/metrics", "/readyz"] { texts.append(try await watcher.get(path).body) }
      await application.stop()
    } catch {
      await application.stop()
      throw error
    }
    #expect(texts[0].contains("ostiary_sign_ins_total"))
    for text in texts {
      for secret in secrets + [user, "planted", "203.0.113.77", "127.0.0.1"] {
        #expect(!text.contains(secret), "\(secret)")
      }
    }
    // A log has the typed name and the address of each sign-in (OP-01), and no secret.
    let log = lines.withLock { $0.joined(separator: "\n") }
    #expect(log.contains(user) && log.contains("203.0.113.77"))
    for secret in secrets { #expect(!log.contains(secret), "\(secret)") }
  }

  @Test("OP-08: promtool takes the metrics, where it is installed")
  func promtool() async throws {
    let program = URL(filePath: "/usr/bin/promtool")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      print("promtool is not installed: the metrics are not shown to it.")
      return
    }
    let text = try await TestServer.runWithJane({ $0.operations = .address(host: "127.0.0.1", port: 0) }) { server in
      try await server.client().login("jdoe", TestServer.janesPassword)
      try await server.client().login("jdoe", "wrong")
      await server.application.sealer.stop()
      return try await Client(origin: try #require(server.running.operations)).get("/metrics").body
    }
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appendingPathComponent("metrics")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = program
    process.arguments = ["check", "metrics"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && output.isEmpty, "\(output)")
  }

  @Test("OP-08: an embedding program's own system gets the metrics as well")
  func further() async throws {
    let further = PrometheusRegistry(
      ServerMetrics(doors: houseDoors.map { $0.metricValue }, beside: nil).definitions)
    try await TestServer.runWithJane({ $0.metrics = further }) { server in
      try await server.client().login("jdoe", TestServer.janesPassword)
      await server.application.sealer.stop()
    }
    let metrics = try PrometheusReading(further.text)
    #expect(metrics.value("ostiary_sign_ins_total", ["door": "pega", "outcome": "begun"]) == 1)
  }

  @Test("OP-08: every event that is a refusal has a name that says so, and every metric can have few series")
  func definitions() async throws {
    for kind in AuditKind.allCases where kind.rawValue.hasSuffix("_refused") { #expect(kind.isRefusal, "\(kind)") }
    try await OperationsTests.run { server, _ in
      for metric in server.application.metrics.definitions {
        #expect(metric.mostSeries <= 2000, "\(metric.name)")
        #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
        #expect(metric.name.hasSuffix("_seconds") || metric.kind != .histogram, "\(metric.name)")
        #expect(metric.help.hasSuffix("."), "\(metric.name)")
      }
    }
  }

  // MARK: Documentation

  private static let article = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Sources/OstiaryServer/Documentation.docc/WatchingAServer.md").standardizedFileURL
  private static let (start, end) = (
    "<!-- Made from the sources: OSTIARY_WRITE_TABLES=1 writes it anew. -->", "<!-- End -->"
  )

  @Test("OP-08: the article lists the metrics that the server has")
  func documented() async throws {
    let rows = try await OperationsTests.run { server, _ in
      server.application.metrics.definitions.map { metric in
        let labels = metric.dimensions.map { "`\($0.name)`" }.joined(separator: ", ")
        return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels.isEmpty ? "–" : labels) | \(metric.help) |"
      }
    }
    let table =
      (["| Metric | Type | Labels | What |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.components(separatedBy: Self.start)
    let rest = try #require(parts.last?.components(separatedBy: Self.end), "the article has no place for the table")
    try #require(parts.count == 2 && rest.count == 2)
    if ProcessInfo.processInfo.environment["OSTIARY_WRITE_TABLES"] == "1" {
      let whole = parts[0] + Self.start + "\n\n" + table + "\n\n" + Self.end + rest[1]
      try whole.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    #expect(rest[0].trimmingCharacters(in: .newlines) == table)
  }
}
