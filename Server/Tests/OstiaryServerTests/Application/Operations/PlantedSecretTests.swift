import Foundation
import Logging
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Secrets, names and addresses go through real requests at several doors, and none comes out where a server is watched.
@Suite("Planted secrets", .timeLimit(.minutes(10)))
struct PlantedSecretTests {
  private static let user = "planted.user@example.com"
  private static let password = "planted-pass-word-7319"
  private static let proxy = [
    "X-Forwarded-For": "203.0.113.77", "X-Request-Id": "request-1", "User-Agent": "planted-agent",
    "traceparent": "planted-parent", "tracestate": "planted=state",
  ]

  /// What a server told those who watch it.
  private struct Told {
    var metrics = ""
    var spans: [String] = []
    var log = ""
    /// What nothing may tell.
    var secrets = [PlantedSecretTests.password, SalesforceTester.secret, SalesforceTester.password]
  }

  private static func configuration(_ collector: TraceCollector, _ upstream: LoopbackServer) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.operations = .address(host: "127.0.0.1", port: 0)
    configuration.trustedProxies = ["127.0.0.1"]
    configuration.development = .insecureForTests
    configuration.tracing = collector.settings
    configuration.accounts?.offersSignUp = true
    configuration.gateway = GatewayDoorConfiguration()
    configuration.gateway?.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
    configuration.gateway?.publicPaths = ["/app/*"]
    var door = SalesforceDoorConfiguration()
    door.orgs = [SalesforceOrg(name: "Acme", communities: [SalesforceCommunity(path: "customers")])]
    door.apps = SalesforceTester.App.allCases.map(\.configuration)
    configuration.salesforce = door
    return configuration
  }

  /// Signs in and up, with right and wrong secrets, at the doors.
  private static func use(_ server: TestServer, _ told: inout Told) async throws {
    try await server.identity.addUser(
      name: user, displayName: "Planted", email: user, password: Secret(password))
    let client = server.client()
    for word in [password, "planted-wrong-word-1"] {
      told.secrets.append(word)
      let answer = try await client.get(
        Client.loginActivity + "&planted=\(word)", headers: Client.basic(user, word).merging(proxy) { $1 })
      #expect(answer.status < 500)
    }
    _ = try await client.get("/nowhere/\(password)?Password=\(password)&user=\(user)", headers: proxy)
    _ = try await client.send("PROPFIND", "/account/login?planted", headers: proxy, body: password)
    for path in ["/app/planted-path-\(password)?token=\(password)", "/app/gone"] {
      let cookie = proxy.merging(["Cookie": "planted=\(password)"]) { $1 }
      #expect(try await server.client().get(path, headers: cookie).status < 504)
    }
    let sales = SalesforceTester(server: server)
    let second = "planted.sales@example.com"
    try await server.identity.addUser(name: second, email: second, password: Secret(SalesforceTester.password))
    let tokens = try await sales.signIn(user: second)
    let refreshed = try await sales.refresh(tokens["refresh_token"]?.string)
    _ = try await sales.call("/services/data/v60.0/sobjects?planted", tokens["access_token"]?.string, headers: proxy)
    _ = try await sales.refresh("planted-refresh-token")
    for answer in [tokens, refreshed.json] {
      told.secrets += ["refresh_token", "access_token"].compactMap { answer[$0]?.string }
    }
    told.secrets.append("planted-refresh-token")
    try await AccountCalls(server: server).signUp("planted.second@example.com", password: "planted-second-word-2")
    told.secrets.append("planted-second-word-2")
    told.secrets += (await client.cookies.values).filter { $0.count > 8 }
  }

  private static func run() async throws -> Told {
    var told = Told()
    let lines = Locked<[String]>([])
    let collector = try TraceCollector()
    defer { collector.stop() }
    try await withUpstream({ request in
      request.path == "/gone" ? [.reset] : [.response(200, [("Set-Cookie", "planted=planted")], body: password)]
    }) { upstream in
      let application = try OstiaryApplication(
        configuration(collector, upstream),
        logger: Logger(label: "test") { label in
          JSONLogHandler(label: label, node: "one", level: .trace) { line in lines.withLock { $0.append(line) } }
        })
      let running = try await application.start()
      do {
        let server = TestServer(
          application: application, running: running, clock: AdjustableClock(), logs: LogCollector())
        try await use(server, &told)
        await application.sealer.stop()
        told.metrics = try await Client(origin: try #require(running.operations)).get("/metrics").body
        await application.stop()
      } catch {
        await application.stop()
        throw error
      }
    }
    told.spans = collector.bodies
    told.log = lines.withLock { $0.joined(separator: "\n") }
    return told
  }

  @Test("OP-08: what goes through requests is in no metric, no span and no line of the log")
  func nowhere() async throws {
    let told = try await Self.run()
    // There was something to tell of each.
    for name in ["password hash", "database call", "upstream call", "mail delivery", "GET /prweb/PRServlet"] {
      #expect(told.spans.contains { $0.contains("\"name\":\"\(name)\"") }, "\(name)")
    }
    #expect(told.metrics.contains("ostiary_tokens_total{door=\"salesforce\",outcome=\"refreshed\"} 1"))
    #expect(told.log.contains(Self.user) && told.secrets.count >= 9)
    for text in told.spans + [told.metrics] {
      for word in told.secrets + ["planted", "Planted", "PLANTED", "203.0.113.77", "127.0.0.1", "example.com"] {
        #expect(!text.contains(word), "\(word)")
      }
    }
    // A log has the typed name and the address of each sign-in (OP-01), and no secret.
    for secret in told.secrets { #expect(!told.log.contains(secret), "\(secret)") }
    #expect(!told.log.contains("planted-agent") && !told.log.contains("planted-parent"))
  }
}
