import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Loopback server", .timeLimit(.minutes(20)))
struct LoopbackServerTests {
  private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("A request is handed over as it arrived")
  func request() throws {
    let server = try LoopbackServer(answering: [.response(204), .close])
    defer { server.stop() }
    let client = try RawClient(server)
    client.send("POST /a%20b?c=d%26 HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nX-A:  2 \r\nContent-Length: 3\r\n\r\nb\u{0}y")
    _ = try client.receive()
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/a%20b?c=d%26")
    #expect(request.path == "/a%20b")
    #expect(request.query == "c=d%26")
    #expect(request.fields[values: try #require(HTTPField.Name("X-A"))] == ["1", "2"])
    #expect(request.body == Data([0x62, 0, 0x79]))
    #expect(String(decoding: request.head, as: UTF8.self).hasSuffix("Content-Length: 3\r\n\r\n"))
    #expect(request.connection == 1)
  }

  @Test("A chunked request body is put together, whatever pieces it arrives in")
  func chunkedRequest() throws {
    let server = try LoopbackServer(answering: [.response(200), .close])
    defer { server.stop() }
    let client = try RawClient(server)
    for byte in "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n" {
      client.send(String(byte))
    }
    _ = try client.receive()
    #expect(server.requests.first?.text == "hello, world!!!")
  }

  @Test("Several requests come on one connection, pipelined or not")
  func keepAlive() throws {
    let server = try LoopbackServer { request in [.response(200, body: request.target)] }
    defer { server.stop() }
    let client = try RawClient(server)
    client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
    client.send("GET /3 HTTP/1.1\r\nConnection: close\r\n\r\n")
    let answer = try client.receive()
    #expect(answer.components(separatedBy: "HTTP/1.1 200 200").count == 4)
    #expect(server.requests.map(\.target) == ["/1", "/2", "/3"])
    #expect(server.connectionCount == 1)
  }

  @Test("Bytes are sent as they are, heads and chunks as HTTP writes them")
  func bytes() throws {
    let server = try LoopbackServer(
      answering: [
        .head(103, [("Link", "<x>")]), .head(200, [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]),
        .chunk("hello"), .lastChunk, .send("garbage"), .close,
      ])
    defer { server.stop() }
    let client = try RawClient(server)
    client.send(get)
    #expect(
      try client.receive() == """
        HTTP/1.1 103 103\r\nLink: <x>\r\n\r\n\
        HTTP/1.1 200 200\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n\
        5\r\nhello\r\n0\r\n\r\ngarbage
        """)
  }

  @Test("A gate holds every connection back until it is opened, and none after that")
  func gate() async throws {
    let gate = Gate()
    let server = try LoopbackServer(answering: [.send("a"), .wait(gate), .send("b"), .close])
    defer { server.stop() }
    let clients = try (0..<3).map { _ in try RawClient(server) }
    for client in clients { client.send(get) }
    try await server.waitForRequests(3)
    for client in clients { #expect(try client.receive(1) == "a") }
    #expect(server.openConnections == 3)
    gate.open()
    for client in clients { #expect(try client.receive() == "b") }
    let late = try RawClient(server)
    late.send(get)
    #expect(try late.receive() == "ab")
  }

  @Test("A gate lets as many connections through as it is told to, and knows which have left")
  func gateByNumber() async throws {
    let gate = Gate()
    let server = try LoopbackServer(answering: [.wait(gate), .send("through"), .close])
    defer { server.stop() }
    let leaving = try RawClient(server)
    leaving.send(get)
    try await gate.waitForWaiting(1)
    let staying = try RawClient(server)
    staying.send(get)
    try await gate.waitForWaiting(2)
    leaving.close()
    try await server.waitForDisconnections(1)
    gate.release()
    #expect(try staying.receive() == "through")
    #expect(gate.waiting == 0)
  }

  @Test("A reset is a reset, at any byte")
  func reset() throws {
    let server = try LoopbackServer(answering: [.send("HTTP/1.1 2"), .reset])
    defer { server.stop() }
    let client = try RawClient(server)
    client.send(get)
    #expect(client.errorWhenReading() == ECONNRESET)
  }

  @Test("Clients that vanish from a hold, a gate or an endless body are counted and cost nothing")
  func vanishing() async throws {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/hold": [.hold]
      case "/gate": [.wait(Gate())]
      default: [.repeatForever(Data(repeating: 65, count: 100_000))]
      }
    }
    defer { server.stop() }
    for (index, path) in ["/hold", "/gate", "/endless"].enumerated() {
      let client = try RawClient(server)
      client.send("GET \(path) HTTP/1.1\r\n\r\n")
      try await server.waitForRequests(index + 1)
      if path == "/endless" { #expect(try client.receive(1_000_000).count == 1_000_000) }
      client.close()
    }
    try await server.waitForDisconnections(3)
    try await server.waitForNoConnections()
    #expect(server.disconnections == 3)
  }

  @Test(
    "What is not HTTP is answered by closing",
    arguments: ["nonsense\r\n\r\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\r\nno colon\r\n\r\n"])
  func malformed(bytes: String) throws {
    let server = try LoopbackServer(answering: [.response()])
    defer { server.stop() }
    let client = try RawClient(server)
    client.send(bytes)
    #expect(try client.receive() == "")
    #expect(server.requests.isEmpty)
  }

  @Test("500 connections at once are all answered")
  func crowd() async throws {
    let gate = Gate()
    let server = try LoopbackServer(answering: [.wait(gate), .response(200, body: "done"), .close])
    defer { server.stop() }
    let clients = try (0..<500).map { _ in try RawClient(server) }
    for client in clients { client.send(get) }
    try await server.waitForRequests(500)
    gate.open()
    for client in clients { #expect(try client.receive().hasSuffix("done")) }
    #expect(server.connectionCount == 500)
  }

  @Test("Stopping closes everything, twice or while clients wait")
  func stopping() async throws {
    let server = try LoopbackServer(answering: [.hold])
    let client = try RawClient(server)
    client.send(get)
    try await server.waitForRequests(1)
    server.stop()
    #expect(try client.receive() == "")
    #expect(server.openConnections == 0)
    server.stop()
  }

  #if os(Linux)
    @Test("A server that is dropped leaves no descriptor behind")
    func descriptors() async throws {
      // Other tests open descriptors meanwhile, in this process and others, so look for the socket of an address that only
      // these servers have.
      let own = getpid()
      let octets = [127, Int(own >> 16) & 0xFF, Int(own >> 8) & 0xFF, Int(own) & 0xFF]
      let reversed = octets.reversed().map { String(format: "%02X", $0) }.joined()
      func isListening(_ port: Int) throws -> Bool {
        let address = "\(reversed):" + String(format: "%04X", port)
        // By handle, to its end: the file has no size, and reading it whole by path stops early when it is long.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").contains {
          let columns = $0.split(separator: " ")
          return columns.count > 3 && columns[1] == address && columns[3] == "0A"
        }
      }
      for _ in 0..<20 {
        let port: Int
        do {
          let server = try LoopbackServer(
            host: octets.map(String.init).joined(separator: "."), answering: [.response()])
          port = server.port
          let client = try RawClient(server)
          client.send(get)
          _ = try client.receive(4)
          #expect(try isListening(server.port))
        }
        // A program that another test starts has it, too, until it runs.
        try await waitUntil("the end of the listener") { try !isListening(port) }
      }
    }
  #endif

  @Test("Waiting ends with an error when nothing comes")
  func patience() async throws {
    let server = try LoopbackServer(answering: [.hold])
    defer { server.stop() }
    await #expect(throws: OstiaryError(.timedOut, "")) {
      try await server.waitForRequests(1, timeout: .milliseconds(10))
    }
    let waiting = Task { try await server.waitForRequests(1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  #if os(Linux)
    @Test("Another loopback address is another host; what is no address is refused")
    func hosts() throws {
      let server = try LoopbackServer(host: "127.0.0.2", answering: [.response(200, body: "two"), .close])
      defer { server.stop() }
      #expect(server.url("/x?y=z").absoluteString == "http://127.0.0.2:\(server.port)/x?y=z")
      let client = try RawClient(server)
      client.send(get)
      #expect(try client.receive().hasSuffix("two"))
      #expect(throws: OstiaryError(.invalidInput, "")) { try LoopbackServer(host: "localhost", answering: []) }
    }
  #endif
}
