import AsyncHTTPClient
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Requests under way for one client", .timeLimit(.minutes(10)))
struct RequestsUnderWayTests {
  @Test(
    "Bug-C02: a client that has enough is told so; a client of the same proxy, and what has ended, counts for nothing")
  func perClient() async throws {
    let gate = Gate()
    let held = Route(
      "/held",
      [
        .get: { _ in
          try await gate.pass()
          return DoorResponse(status: .ok)
        }
      ])
    try await TestServer.run(
      {
        $0.trustedProxies = ["127.0.0.1"]
        $0.http.requestsPerClient = 2
      }, furtherRoutes: [held]
    ) { server in
      let client = server.client()
      let first = (0..<2).map { _ in Task { try await client.get("/held", headers: Self.from("203.0.113.9")).status } }
      try await gate.waitForArrivals(2)
      let refused = try await client.get("/healthz", headers: Self.from("203.0.113.9"))
      #expect(refused.status == 429)
      #expect(refused.header("retry-after") == "1")
      #expect(try await client.get("/healthz", headers: Self.from("203.0.113.10")).status == 200)
      gate.open()
      for task in first { #expect(try await task.value == 200) }
      #expect(try await client.get("/healthz", headers: Self.from("203.0.113.9")).status == 200)
    }
  }

  private static func from(_ address: String) -> [String: String] { ["X-Forwarded-For": address] }
}
