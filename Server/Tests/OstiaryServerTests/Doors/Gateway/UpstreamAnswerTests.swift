import Foundation
import HTTPTypes
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: what upstreams answer", .serialized, .timeLimit(.minutes(20)))
struct UpstreamAnswerTests {
  // The upstream closes the connection after each answer: one that was not told would be used again just then.
  private static let end = "Connection: close\r\nContent-Length: 2\r\n\r\nhi"

  /// Answers that are none.
  static let hostile: [String] = [
    "HTTP/1.1 099 X\r\n" + end, "HTTP/1.1 000 X\r\n" + end, "HTTP/1.1 001\r\n\r\n", "HTTP/1.1 99 X\r\n" + end,
    "HTTP/1.1 600 X\r\n" + end, "HTTP/1.1 999 X\r\n" + end, "HTTP/1.1 1000 X\r\n" + end,
    "HTTP/1.1 -200 X\r\n" + end, "HTTP/1.1 +200 X\r\n" + end, "HTTP/1.1 2e2 X\r\n" + end, "HTTP/1.1 20 X\r\n" + end,
    "HTTP/1.1 ٢٠٠ X\r\n" + end, "HTTP/1.1 0x0c8 X\r\n" + end, "HTTP/1.1  X\r\n" + end, "HTTP/1.1 OK\r\n" + end,
    "HTTP/2.0 200 X\r\n" + end, "HTTP/0.9 200 X\r\n" + end, "HTTP/9.9 099 X\r\n" + end, "ICY 200 OK\r\n" + end,
    "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhi",
    "HTTP/1.1 101 Switching\r\n" + end,
    "HTTP/1.1 099 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 099 X\r\n" + end,
    "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 101 X\r\n\r\n",
    "HTTP/1.1 200 OK\r\nBad Name: x\r\n" + end, "HTTP/1.1 200 OK\r\n: x\r\n" + end,
    "HTTP/1.1 200 OK\r\nX\u{0}Y: x\r\n" + end, "HTTP/1.1 200 OK\r\nNäme: x\r\n" + end,
    "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n" + end, "HTTP/1.1 200 OK\r\nX: a\u{1}b\r\n" + end,
    "HTTP/1.1 200 OK\r\nX: a\u{7F}b\r\n" + end, "HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b=c\r\n" + end,
    "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n" + end,
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + end,
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: \u{212A}\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1 << 20) + "\r\n" + end,
  ]

  @Test("Bug-C03: what an upstream answers that is not HTTP is 502, logged, and ends nothing")
  func hostileAnswers() async throws {
    let handler: LoopbackServer.Handler = { request in
      guard let number = Int(request.path.dropFirst("/hostile/".count)), Self.hostile.indices.contains(number) else {
        return [.response(200, body: "well")]
      }
      return [.send(Self.hostile[number]), .close]
    }
    try await withUpstream(handler) { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        for (number, text) in Self.hostile.enumerated() {
          for method in ["GET", "POST"] {
            let answer = try await gateway.client.send(
              method, "/app/hostile/\(number)", body: method == "POST" ? "body" : nil)
            #expect(answer.status == 502, "\(method) \(text.prefix(80))")
          }
        }
        #expect(try await gateway.client.get("/app/x").body == "well")
        let logs = gateway.server.logs.text
        #expect(logs.contains("An upstream's answer was refused"))
        #expect(logs.contains("status") && logs.contains("protocolSwitch"))
        #expect(!logs.contains("folded"))
      }
    }
  }

  @Test("Bug-C03: what is unusual and HTTP arrives: interim answers, any phrase, every final status")
  func unusualAnswers() async throws {
    let answers: [(String, Int)] = [
      // The phrase means nothing, and doesn't travel.
      ("HTTP/1.1 200 \u{0}\r\n" + Self.end, 200),
      ("HTTP/1.1 200 \r\n" + Self.end, 200), ("HTTP/1.1 200\r\n" + Self.end, 200),
      ("HTTP/1.1 200 \u{1B}[2J<script>\r\n" + Self.end, 200), ("HTTP/1.1 599 X\r\n" + Self.end, 599),
      ("HTTP/1.1 299 X\r\n" + Self.end, 299), ("HTTP/1.0 200 OK\r\n" + Self.end, 200),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n" + Self.end, 200),
      ("HTTP/1.1 199 X\r\n\r\nHTTP/1.1 200 OK\r\n" + Self.end, 200),
      ("HTTP/1.1 200 OK\r\nX: \u{212A}é\r\n" + Self.end, 200), ("HTTP/1.1 200 OK\r\n\r\nhi", 200),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200),
    ]
    let handler: LoopbackServer.Handler = { request in
      [.send(answers[Int(request.path.dropFirst()) ?? 0].0), .close]
    }
    try await withUpstream(handler) { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        for (number, (text, status)) in answers.enumerated() {
          let answer = try await gateway.client.get("/app/\(number)")
          #expect(answer.status == status, "\(text)")
          #expect(answer.body == "hi", "\(text)")
        }
      }
    }
  }

  @Test(
    "Bug-C03: no status, name, value or length crosses that HTTP doesn't know, whatever an HTTP library makes of it")
  func head() {
    func problem(_ status: Int, _ headers: [(String, String)] = []) -> UpstreamHead.Problem? {
      do {
        _ = try UpstreamHead(
          HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: HTTPHeaders(headers)))
        return nil
      } catch {
        return error
      }
    }
    for status in [0, 1, 99, 600, 999, 1000, 65_536, Int.max] { #expect(problem(status) == .status, "\(status)") }
    for status in [100, 102, 199, 200, 204, 304, 451, 599] { #expect(problem(status) == nil, "\(status)") }
    #expect(problem(101) == .protocolSwitch)
    for name in ["", "a b", "a:b", "a\u{0}", "é", "a\r\n", "(a)"] {
      #expect(problem(200, [(name, "x")]) == .fieldName, "\(name)")
    }
    for value in ["\u{0}", "a\r\nb", "a\nb", "\u{7F}", "\u{1B}"] {
      #expect(problem(200, [("X", value)]) == .fieldValue)
    }
    for value in ["", "a\tb", "é", "\u{212A}"] { #expect(problem(200, [("X", value)]) == nil) }
    for lengths in [["1", "1"], ["+1"], ["-1"], ["1 "], [""], ["1,1"], ["0x1"], ["٣"], ["99999999999999999999"]] {
      #expect(problem(200, lengths.map { ("Content-Length", $0) }) == .length, "\(lengths)")
    }
    for encodings in [["gzip"], ["chunked", "chunked"], ["chunked, chunked"], ["chun\u{212A}ed"], ["identity"]] {
      #expect(problem(200, encodings.map { ("Transfer-Encoding", $0) }) == .framing, "\(encodings)")
    }
    #expect(problem(200, [("Transfer-Encoding", "chunked"), ("Content-Length", "1")]) == .framing)
  }
}
