import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Logs as JSON, and the names of requests", .timeLimit(.minutes(10)))
struct JSONLogTests {
  private static func record(_ body: (Logger) -> Void) throws -> [[String: JSONValue]] {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "the.label") { label in
      JSONLogHandler(label: label, node: "one", level: .debug) { line in lines.withLock { $0.append(line) } }
    }
    body(logger)
    return try lines.withLock { $0 }.map { line in
      #expect(!line.contains("\n"))
      return try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
    }
  }

  @Test("OP-08: a message is one line with its time, level, label, node and metadata")
  func fields() throws {
    let lines = try Self.record { logger in
      logger.trace("too low")
      logger.error("what happened", metadata: ["a": "b", "list": ["1", "2"], "more": ["x": "y"]])
    }
    let line = try #require(lines.first)
    #expect(lines.count == 1)
    #expect(Set(line.keys) == ["time", "level", "label", "node", "message", "metadata"])
    #expect(line["level"] == "error" && line["label"] == "the.label" && line["node"] == "one")
    #expect(line["message"] == "what happened")
    #expect(
      line["metadata"]
        == .object(["a": "b", "list": .array([.string("1"), .string("2")]), "more": .object(["x": "y"])]))
    #expect(line["time"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z?)/) != nil)
  }

  @Test("OP-03: text that clients chose neither ends a line nor steers a terminal")
  func injection() throws {
    let text = "a\n{\"level\":\"info\"}\r\u{1B}[2J\u{202E}\u{2028}\u{0}\"\\é"
    let lines = try Self.record { logger in logger.info("\(text)", metadata: ["x": "\(text)"]) }
    #expect(lines.count == 1)
    for value in [lines.first?["message"], lines.first?["metadata"]?["x"]] {
      let shown = try #require(value?.string)
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && ![0x1B, 0x202E, 0x2028].contains($0.value) })
      #expect(shown.hasSuffix("\"\\é") && shown.contains("\\u{a}"))
    }
  }

  @Test("OP-08: the name of the request is a field of its own, whoever knows it")
  func requestNames() throws {
    let request = DoorRequest(
      method: .get, path: "/", query: .none, headers: [:], body: [], parameters: [:], clientAddress: "", id: "of-task")
    let lines = try Self.record { logger in
      AuditOrigin.$current.withValue(AuditOrigin(request: request, route: "/")) {
        logger.info("1")
        logger.info("2", metadata: ["request_id": "of-line"])
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "of-logger"
        logger.info("3")
      }
      logger.info("4", metadata: ["request_id": "-"])
    }
    #expect(lines.map { $0["request_id"]?.string } == ["of-task", "of-line", "of-logger", nil])
    #expect(lines.allSatisfy { $0["metadata"] == nil })
  }

  @Test("OP-08: each answer has the name of its request; a trusted proxy chooses it, other clients do not")
  func requestField() async throws {
    for isTrusted in [true, false] {
      try await TestServer.run({ if isTrusted { $0.trustedProxies = ["127.0.0.1"] } }) { server in
        let own = try #require(try await server.client().get("/healthz").header("X-Request-Id"))
        #expect(!own.isEmpty)
        for (given, isName) in [
          ("abc-DEF_1.2", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
          ("", false), ("a b", false), ("a\"b", false), ("<x>", false), ("é", false),
        ] {
          for path in ["/healthz", "/nowhere"] {
            let answer = try await server.client().get(path, headers: ["X-Request-Id": given])
            let name = try #require(answer.header("X-Request-Id"))
            #expect((name == given) == (isName && isTrusted), "\(given)")
            if path == "/nowhere" { #expect(answer.body.contains(name)) }
          }
        }
      }
    }
  }
}
