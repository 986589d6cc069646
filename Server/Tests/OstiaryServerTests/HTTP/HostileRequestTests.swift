import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Hostile requests", .timeLimit(.minutes(10)))
struct HostileRequestTests {
  private static let post = "POST /prweb/api/v1/cases HTTP/1.1\r\nHost: localhost\r\n"

  /// Whether `text` is one whole answer of a status, with the headers every answer has.
  private func expect(_ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(text.hasPrefix("HTTP/1.1 \(status) "), sourceLocation: sourceLocation)
    #expect(text.lowercased().contains("\r\nx-content-type-options: nosniff\r\n"), sourceLocation: sourceLocation)
    #expect(
      text.lowercased().contains("\r\ncontent-security-policy: default-src 'none';"), sourceLocation: sourceLocation)
    #expect(!text.lowercased().contains("\r\nserver:"), sourceLocation: sourceLocation)
  }

  @Test("A body announced as 1 GiB is 413, and nobody waits for it")
  func announced() async throws {
    try await TestServer.run { server in
      let connection = try await RawConnection(port: server.running.port)
      let answer = try await connection.exchange(Self.post + "Content-Length: 1073741824\r\n\r\n")
      expect(413, answer)
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test("A chunked body without end is 413 when it is too long")
  func endless() async throws {
    try await TestServer.run { server in
      let connection = try await RawConnection(port: server.running.port)
      let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
      let answer = try await connection.exchange(
        [Self.post + "Transfer-Encoding: chunked\r\n\r\n"] + Array(repeating: chunk, count: 64), pause: .zero)
      expect(413, answer)
    }
  }

  @Test(
    "A body that nobody reads is not taken for ever: the connection is closed",
    arguments: [
      "POST /nowhere", "PUT /healthz", "POST /prweb/PRServlet?a=%zz", "POST //x", "GET /nowhere",
    ])
  func unread(line: String) async throws {
    try await TestServer.run { server in
      let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
      // Far more than a test waits for, so that only the server can end it.
      let answer = try await RawConnection(port: server.running.port).exchange(
        ["\(line) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"]
          + Array(repeating: chunk, count: 1000),
        pause: .milliseconds(30))
      #expect(answer.hasPrefix("HTTP/1.1 4"))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test("A request without a body keeps its connection, whatever the answer")
  func keepsConnection() async throws {
    try await TestServer.run { server in
      for head in ["GET /nowhere", "POST /nowhere", "POST /healthz"] {
        let answer = try await RawConnection(port: server.running.port).exchange(
          "\(head) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.matches(of: /HTTP\/1\.1 (\d{3})/).count == 2)
      }
    }
  }

  @Test(
    "What asks for an upgrade is answered in HTTP, and the connection closes: nothing would be read from it any more",
    arguments: ["GET /healthz", "GET /nowhere", "POST /prweb/api/v1/cases", "OPTIONS /healthz"])
  func upgrade(line: String) async throws {
    try await TestServer.run { server in
      for fields in [
        "Connection: Upgrade", "Connection: keep-alive, UPGRADE", "Content-Length: 2\r\nConnection: upgrade",
      ] {
        let answer = try await RawConnection(port: server.running.port).exchange(
          "\(line) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\(fields)\r\n\r\n"
            + (fields.contains("Length") ? "{}" : ""))
        #expect(answer.hasPrefix("HTTP/1.1 "))
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      }
      let other = try await RawConnection(port: server.running.port).exchange(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n"
          + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(other.matches(of: /HTTP\/1\.1 (\d{3})/).count == 2)
    }
  }

  @Test(
    "A connection whose client says that it closes is closed, however it says so",
    arguments: ["close", "Close", "close, X-Other", "X-Other ,\tCLOSE", "x\r\nConnection: close"])
  func closing(words: String) async throws {
    try await TestServer.run { server in
      let answer = try await RawConnection(port: server.running.port)
        .exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: \(words)\r\n\r\n", within: .seconds(50))
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("A body of exactly the limit is read, one byte more is not", arguments: [(0, 401), (1, 413)])
  func limit(extra: Int, status: Int) async throws {
    try await TestServer.run({ $0.http.bodySize = 2048 }) { server in
      let body = String(repeating: "x", count: 2048 + extra)
      let answer = try await server.client().send("POST", "/prweb/api/v1/cases", body: body)
      #expect(answer.status == status)
    }
  }

  @Test(
    "What is no HTTP, or HTTP that two readers could read differently, is refused and the connection closed",
    arguments: [
      "\0\u{1}\u{2}garbage\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /healthz\r\nHost: localhost\r\n\r\n",
      "\u{16}\u{3}\u{1}\0\u{5}hello", "GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: y\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n folded\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nA: \0\r\n\r\n",
      post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", post + "Content-Length: -1\r\n\r\n",
      post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      post + "Content-Length: 5x\r\n\r\nhello",
      post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
  func garbage(text: String) async throws {
    try await TestServer.run { server in
      let answer = try await RawConnection(port: server.running.port).exchange(text)
      #expect(!answer.hasPrefix("HTTP/1.1 2"))
      #expect(!answer.contains("HTTP/1.1 2"))
      if !answer.isEmpty { expect(400, answer) }
      #expect(try await server.client().get("/healthz").status == 200)
    }
  }

  @Test("Too long a header section is refused")
  func longHeader() async throws {
    try await TestServer.run { server in
      for headers in [
        "A: " + String(repeating: "x", count: 40_000), String(repeating: "A: b\r\n", count: 200) + "A: b",
      ] {
        let answer = try await RawConnection(port: server.running.port)
          .exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n")
        expect(400, answer)
      }
    }
  }

  @Test("Pipelined requests are answered in order")
  func pipelined() async throws {
    try await TestServer.run { server in
      let connection = try await RawConnection(port: server.running.port)
      let answer = try await connection.exchange(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
          + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let statuses = answer.matches(of: /HTTP\/1\.1 (\d{3})/).map { String($0.1) }
      #expect(statuses == ["200", "404", "200"])
    }
  }

  @Test("A body that drips is 408 when its time is over, and the connection is closed though more keeps coming")
  func slowBody() async throws {
    try await TestServer.run({ $0.http.bodyTime = .milliseconds(200) }) { server in
      let connection = try await RawConnection(port: server.running.port)
      let answer = try await connection.exchange(
        [Self.post + "Content-Length: 1000\r\n\r\n"] + Array(repeating: "x", count: 900), pause: .milliseconds(20))
      expect(408, answer)
    }
  }

  @Test("A header section that drips gets no answer, and the connection is closed")
  func slowHeader() async throws {
    try await TestServer.run({ $0.http.idleTime = .milliseconds(300) }) { server in
      let connection = try await RawConnection(port: server.running.port)
      let answer = try await connection.exchange(
        ["GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: "] + Array(repeating: "x", count: 900),
        pause: .milliseconds(20))
      #expect(answer.isEmpty)
    }
  }

  @Test("A client that goes away in the middle of a body disturbs nobody")
  func cutShort() async throws {
    try await TestServer.run { server in
      for _ in 0..<20 {
        _ = try await RawConnection(port: server.running.port).exchange(
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.post + "Content-Length: 1000\r\n\r\nhalf",
          until: { !$0.isEmpty })
      }
      #expect(try await server.client().get("/healthz").status == 200)
    }
  }

  @Test(
    "Paths that try to be others are found nowhere",
    arguments: [
      "/prweb/../healthz", "//healthz", "/%2e%2e/healthz", "/healthz%2f", "/healthz%00", "/HEALTHZ", "/./healthz",
      "/prweb/PRServlet/x/y", "/prweb/PRServlet/x*/STANDARD", "/prweb/PRServlet/x*/!STANDARD/z", "*", "healthz",
      "/prweb/PRAuth/..", "/prweb/PRAuth/%2e%2e", "/prweb/PRAuth/%2E",
      // A slash under an accent is a slash.
      "/prweb/PRAuth/%2F%CC%81", "/prweb/PRAuth", "/prweb/unknown", "/prweb/api/v1/", "http://127.0.0.1/nowhere",
    ])
  func paths(path: String) async throws {
    try await TestServer.run { server in
      let answer = try await RawConnection(port: server.running.port)
        .exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 400 "))
      if !answer.isEmpty { #expect(answer.lowercased().contains("\r\nx-content-type-options: nosniff\r\n")) }
    }
  }

  @Test("A target in absolute form is understood (RFC 9112 §3.2.2)")
  func absoluteForm() async throws {
    try await TestServer.run { server in
      let answer = try await RawConnection(port: server.running.port)
        .exchange("GET http://other.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      expect(200, answer)
      // Without a path it is the start page's (RFC 9110 §4.2.3).
      let start = try await RawConnection(port: server.running.port)
        .exchange("GET http://127.0.0.1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      expect(200, start)
      #expect(start.contains("This is Ostiary"))
    }
  }
}
