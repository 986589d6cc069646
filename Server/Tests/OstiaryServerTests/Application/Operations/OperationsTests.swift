import Foundation
import NIOCore
import NIOPosix
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Operations", .timeLimit(.minutes(20)))
struct OperationsTests {
  /// A server with a listener for operations on a free port, and a client of that listener.
  static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (TestServer, Client) async throws -> Value
  ) async throws -> Value {
    try await TestServer.run({
      $0.operations = .address(host: "127.0.0.1", port: 0)
      configure(&$0)
    }) { server in
      try await body(server, Client(origin: try #require(server.running.operations)))
    }
  }

  @Test("OP-08: health, readiness and metrics are on a listener of their own; clients reach no metrics and no causes")
  func listener() async throws {
    try await Self.run { server, watcher in
      #expect(watcher.origin != server.origin && watcher.origin.hasPrefix("http://127.0.0.1:"))
      for path in ["/healthz", "/metrics"] { #expect(try await watcher.get(path).status == 200) }
      try await watcher.ready()
      #expect(try await watcher.get("/metrics").header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
      for path in ["/", "/account", "/prweb/PRServlet", "/flows/login"] {
        #expect(try await watcher.get(path).status == 404, "\(path)")
      }
      #expect(try await watcher.post("/metrics", form: []).status == 405)
      #expect(try await watcher.send("HEAD", "/metrics").body.isEmpty)
      #expect(try await server.client().get("/metrics").status == 404)
      #expect(try await server.client().ready().body == "ready\n")
      try await server.application.storage.close()
      #expect(try await server.client().get("/readyz").body == "unavailable\n")
    }
  }

  @Test("OP-08: without an address nothing is listened on, and the server is as before")
  func off() async throws {
    try await TestServer.run { server in
      let (ready, metrics) = (try await server.client().ready(), try await server.client().get("/metrics"))
      #expect(server.running.operations == nil && ready.status == 200 && metrics.status == 404)
    }
  }

  @Test(
    "OP-08: operations are refused beyond this machine without the loud flag",
    arguments: ["0.0.0.0", "192.0.2.1", "::", "[2001:db8::1]", "example.org", "127.0.0.1.example.org", "1270.0.0.1"])
  func beyondLoopback(host: String) {
    var configuration = ServerConfiguration()
    configuration.operations = .address(host: host, port: 9400)
    #expect(configuration.problems.count == 1)
    #expect(throws: ServerConfigurationError.self) { try OstiaryApplication(configuration) }
    configuration.dangerouslyOffersOperationsBeyondLoopback = true
    #expect(configuration.problems.isEmpty)
  }

  @Test("OP-08: the address of clients, a port that is none and a path that is too long are refused")
  func otherProblems() {
    var configuration = ServerConfiguration()
    for operations in [
      OperationsAddress.address(host: "127.0.0.1", port: 8080), .address(host: "127.0.0.1", port: 70_000),
      .address(host: "a b", port: 1), .socket(path: String(repeating: "x", count: 104)),
    ] {
      configuration.operations = operations
      #expect(configuration.problems.count == 1, "\(operations)")
    }
    configuration.port = 0
    configuration.operations = .address(host: "127.0.0.1", port: 0)
    #expect(configuration.problems.isEmpty)
  }

  @Test("OP-08: the address is read from one text")
  func text() {
    #expect(OperationsAddress("off") == .off)
    #expect(OperationsAddress("127.0.0.1:9400") == .address(host: "127.0.0.1", port: 9400))
    #expect(OperationsAddress("[::1]:9400") == .address(host: "[::1]", port: 9400))
    #expect(OperationsAddress("unix:/run/x") == .socket(path: "/run/x"))
    for text in ["", "on", "9400", ":9400", "localhost", "localhost:x", "unix:"] {
      #expect(OperationsAddress(text) == nil, "\(text)")
    }
  }

  @Test("OP-08: a page of another site, whose name resolves to this machine, reads nothing")
  func rebinding() async throws {
    try await Self.run({ $0.development = nil }) { _, watcher in
      let port = try #require(watcher.origin.split(separator: ":").last.flatMap { Int($0) })
      for (host, status) in [("evil.example", 421), ("localhost:\(port)", 200), ("127.0.0.1:\(port)", 200)] {
        let answer = try await RawConnection(port: port).exchange(
          "GET /metrics HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(host)")
      }
    }
  }

  @Test("OP-08: a port that is taken is a problem of the start, and nothing stays open")
  func taken() async throws {
    try await Self.run { _, watcher in
      let port = try #require(watcher.origin.split(separator: ":").last.flatMap { Int($0) })
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.operations = .address(host: "127.0.0.1", port: port)
      let second = try OstiaryApplication(configuration, logger: LogCollector().logger)
      await #expect(throws: ServerConfigurationError.self) { try await second.start() }
      #expect(second.running == nil && second.listener == nil)
      #expect(try await watcher.get("/healthz").status == 200)
      await second.stop()
    }
  }

  @Test("OP-08: a socket is for the server's user alone, takes the place of one left behind, and goes with the server")
  func socket() async throws {
    let folder = URL(filePath: "/tmp").appending(path: "ostiary-\(UInt32.random(in: 0...UInt32.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "operations").path(percentEncoded: false)
    func target(_ route: String) -> String { "http+unix://\(Client.encode(path))\(route)" }
    // Left by a server that was killed.
    let left = try ListeningSocketFile(path)
    left.abandon()
    try await TestServer.run({ $0.operations = .socket(path: path) }) { server in
      #expect(server.running.operations == "unix:" + path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      let client = Client(origin: "")
      let host = ["Host": "localhost"]
      for route in ["/healthz", "/metrics"] {
        #expect(try await client.get(target(route), headers: host).status == 200)
      }
      try await client.ready(target("/readyz"), headers: host)
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.operations = .socket(path: path)
      let second = try OstiaryApplication(configuration, logger: LogCollector().logger)
      await #expect(throws: ServerConfigurationError.self) { try await second.start() }
      await second.stop()
      #expect(try await client.get(target("/healthz"), headers: host).status == 200, "the first one stays")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    // A file that is no socket stays.
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.operations = .socket(path: path)
    let third = try OstiaryApplication(configuration, logger: LogCollector().logger)
    await #expect(throws: ServerConfigurationError.self) { try await third.start() }
    await third.stop()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("OP-08: a socket that refuses nothing and takes no connection stays")
  func foreignSocket() async throws {
    let folder = URL(filePath: "/tmp").appending(path: "ostiary-\(UInt32.random(in: 0...UInt32.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "operations").path(percentEncoded: false)
    #expect(await OperationsSocket(path: path).problem() == nil)
    // One for datagrams, as a service manager's.
    let other = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(unixDomainSocketPath: path).get()
    #expect(await OperationsSocket(path: path).problem()?.contains("can't be found out") == true)
    #expect(FileManager.default.fileExists(atPath: path))
    try await other.close()
    #expect(await OperationsSocket(path: path).problem() == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
