import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Resources", .timeLimit(.minutes(20)))
struct ResourceTests {
  private static let article = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/OstiaryServer/Documentation.docc/Resources.md").standardizedFileURL
  private static let (start, end) = (
    "<!-- Made from the sources: OSTIARY_WRITE_TABLES=1 writes it anew. -->", "<!-- End -->"
  )

  private static func table(_ limits: [ResourceLimit]) -> String {
    let rows = limits.map { "| \($0.title) | \($0.standard) | \($0.refusal) | `\($0.name)` |" }
    return "\n" + (["| What | By default | Beyond it | Name |", "|---|---|---|---|"] + rows).joined(separator: "\n")
      + "\n"
  }

  @Test("The table in the documentation is what the server and its doors declare")
  func shown() async throws {
    let limits = try await TestServer.run { server in
      _ = try await server.client().get("/healthz")
      return server.application.resources
    }
    #expect(Set(limits.map(\.name)).count == limits.count)
    #expect(Set(HTTPResource.allCases.map(\.rawValue)).isSubset(of: limits.map(\.name)))
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.components(separatedBy: Self.start)
    let rest = try #require(parts.last?.components(separatedBy: Self.end), "the article has no place for the table")
    try #require(parts.count == 2 && rest.count == 2)
    if ProcessInfo.processInfo.environment["OSTIARY_WRITE_TABLES"] == "1" {
      let whole = parts[0] + Self.start + "\n" + Self.table(limits) + "\n" + Self.end + rest[1]
      try whole.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    #expect(rest[0].trimmingCharacters(in: .newlines) == Self.table(limits).trimmingCharacters(in: .newlines))
  }

  @Test("Values are computed when the server starts, and what reaches a limit is counted")
  func counted() async throws {
    try await TestServer.run({
      $0.http.bodySize = 2048
      $0.http.headerCount = 20
      $0.http.connections = 100
    }) { server in
      let limits = Dictionary(uniqueKeysWithValues: server.application.resources.map { ($0.name, $0) })
      func reached(_ name: String) -> Int? { limits[name]?.timesReached }
      #expect(limits["connections"]?.most == .count(100) && limits["connections_per_address"]?.most == .count(25))
      #expect(limits["requests_per_client"]?.most == .count(25))
      #expect(limits["body_bytes"]?.line.hasPrefix("A request's body: 2 KiB; 413") == true)
      #expect(limits["idle_time"]?.most.description == "60 s" && reached("idle_time") == nil)
      let client = server.client()
      let long = try await client.post("/account/login", form: [("a", String(repeating: "x", count: 4000))])
      #expect(long.status == 413 && reached("body_bytes") == 1)
      let many = (0..<50).map { "X-\($0): 1\r\n" }.joined()
      let answer = try await RawConnection(port: server.running.port).exchange(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\(many)\r\n")
      #expect(answer.contains(" 400 ") && reached("header_fields") == 1)
      #expect(reached("connections") == 0 && reached("queries") == 0)
    }
    #expect(ResourceLimit.Amount.bytes(1536).description == "1536 bytes")
    #expect(ResourceLimit.Amount.bytes((32 << 10) + (1 << 20)).description == "1056 KiB")
  }
}
