import Foundation
import NIOCore
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
      #expect(limits["idle_time"]?.most.description == "60 s" && reached("idle_time") == 0)
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

  /// How often a limit was reached.
  private static func reached(_ name: String, _ server: TestServer) -> Int? {
    server.application.resources.first { $0.name == name }?.timesReached
  }

  @Test("Every limit of connections and requests is counted")
  func allCounted() async throws {
    try await TestServer.run { server in
      for resource in HTTPResource.allCases {
        #expect(Self.reached(resource.rawValue, server) != nil, "\(resource)")
      }
    }
  }

  @Test("A connection that is closed for its silence is counted, before its first request and after it; others are not")
  func idleTime() async throws {
    try await TestServer.run { server in
      let port = server.running.port
      // Closed by the client, and by the server at the end of an answer.
      _ = try await RawConnection(port: port).exchange("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") {
        $0.contains(" 200 ")
      }
      _ = try await RawConnection(port: port).exchange(
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      #expect(Self.reached("idle_time", server) == 0)
    }
    // On a busy machine a connection may be closed before its request has come: it was silent, too.
    try await TestServer.run({ $0.http.idleTime = .milliseconds(300) }) { server in
      let port = server.running.port
      #expect(try await RawConnection(port: port).exchange("") == "")
      #expect(Self.reached("idle_time", server) == 1)
      _ = try await RawConnection(port: port).exchange("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      #expect(Self.reached("idle_time", server) == 2)
      let half = try await RawConnection(port: port).exchange(
        "POST /flows/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
      #expect(!half.contains(" 200 ") && Self.reached("idle_time", server) == 3)
    }
  }

  @Test("A connection that the process has no descriptor for is counted, and the server goes on")
  func descriptors() async throws {
    try await TestServer.run { server in
      let channel = try #require(server.application.listener?.channel)
      #expect(Self.reached("descriptors", server) == 0)
      for number in [EMFILE, ENFILE, ECONNABORTED] {
        channel.pipeline.fireErrorCaught(IOError(errnoCode: number, reason: "accept"))
      }
      // What the event loop does next comes after these.
      try await channel.eventLoop.submit {}.get()
      #expect(Self.reached("descriptors", server) == 2)
      #expect(try await server.client().get("/healthz").status == 200)
    }
  }

  @Test("Where descriptors or memory are what makes connections few, one too many is counted for them, too")
  func reasons() async throws {
    try await TestServer.run { server in
      let channel = try #require(server.application.listener?.channel)
      for (memory, descriptors, name) in [(1 << 20, 65_536, "connection_memory"), (64 << 30, 118, "descriptors")] {
        let connections = Connections(
          ConnectionLimits(
            HTTPLimits(), descriptors: DescriptorLimit(most: descriptors, used: 20), memory: MemoryLimit(most: memory)),
          proxies: TrustedProxies([]))
        // All have a request under way, so that none is closed for another.
        for _ in 0..<connections.limits.connections { connections.begin(try #require(connections.open(channel))) }
        #expect(connections.open(channel) == nil)
        let limits = HTTPResource.limits(
          HTTPLimits(), connections, RequestsUnderWay(most: 8), DescriptorLimit(most: descriptors, used: 20))
        let counts = limits.filter { ($0.timesReached ?? 0) > 0 }.map(\.name)
        #expect(Set(counts) == ["connections", name])
      }
    }
  }
}
