import Foundation
import Logging
import OstiaryCore
import OstiaryTesting
import Testing
import Tracing

@testable import OstiaryServer

@Suite("Sending spans", .timeLimit(.minutes(5)))
struct SpanExporterTests {
  private static func span(_ number: Int) -> SpanRecord {
    SpanRecord(
      name: "\(number)", kind: .internal,
      context: TraceContext(traceID: TraceContext.newTraceID(), spanID: TraceContext.newSpanID(), isSampled: true),
      parent: nil, start: 1, end: 2)
  }

  private let registry = PrometheusRegistry([TraceMetrics.spans])
  private let log = LogCollector()

  private func make(_ url: String?) throws -> SpanExporter {
    SpanExporter(
      url: try #require(url), node: nil, stopTime: .seconds(120), logger: log.logger, metrics: registry)
  }

  private func count(_ outcome: String) throws -> Double {
    guard !registry.text.isEmpty else { return 0 }
    return try PrometheusReading(registry.text).value("ostiary_trace_spans_total", ["outcome": outcome]) ?? 0
  }

  @Test("OP-08: every span is sent, once and in order, at the latest when the server stops")
  func all() async throws {
    let collector = try TraceCollector()
    defer { collector.stop() }
    let exporter = try make(collector.settings.url)
    exporter.start()
    for number in 0..<1500 { exporter.add(Self.span(number)) }
    await exporter.stop()
    await exporter.stop()
    #expect(try collector.spans.map(\.name) == (0..<1500).map { "\($0)" })
    #expect(try count("sent") == 1500 && count("dropped") == 0 && count("failed") == 0)
    #expect(exporter.waiting == 0)
    exporter.add(Self.span(0))
    #expect(try count("dropped") == 1 && exporter.waiting == 0)
  }

  @Test("OP-08: more spans than can wait are dropped and counted, and none waits for them")
  func bounded() async throws {
    let collector = try TraceCollector()
    defer { collector.stop() }
    let exporter = try make(collector.settings.url)
    for number in 0..<(SpanExporter.most + 10) { exporter.add(Self.span(number)) }
    #expect(exporter.waiting == SpanExporter.most)
    #expect(try count("dropped") == 10)
    exporter.start()
    await exporter.stop()
    #expect(try count("sent") == Double(SpanExporter.most))
  }

  @Test("OP-08: spans that a collector refuses, or that find none, are counted, and the log says so once")
  func refused() async throws {
    let collector = try TraceCollector(status: 400)
    defer { collector.stop() }
    let refused = try make(collector.settings.url)
    refused.start()
    for number in 0..<1000 { refused.add(Self.span(number)) }
    await refused.stop()
    #expect(try count("failed") == 1000 && count("sent") == 0)
    #expect(collector.bodies.count >= 2)
    #expect(log.text.components(separatedBy: "takes no spans").count == 2)
    let nowhere = try make(TraceSettings(endpoint: "http://127.0.0.1:1").url)
    nowhere.start()
    nowhere.add(Self.span(0))
    await nowhere.stop()
    #expect(try count("failed") == 1001)
  }

  @Test("OP-08: a collector that is busy gets the spans again")
  func busy() async throws {
    let calls = Locked(0)
    let server = try LoopbackServer { _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return [.response(call == 1 ? 503 : 200, body: "{}")]
    }
    defer { server.stop() }
    let exporter = try make(TraceSettings(endpoint: "http://127.0.0.1:\(server.port)/").url)
    exporter.start()
    exporter.add(Self.span(7))
    let bodies = try await server.waitForRequests(2).map(\.text)
    #expect(bodies[0] == bodies[1] && bodies[0].contains("\"name\":\"7\""))
    await exporter.stop()
    #expect(try count("sent") == 1 && count("failed") == 0)
  }

  @Test("OP-08: a collector that answers nothing keeps neither a request nor the stop of a server")
  func hanging() async throws {
    let server = try LoopbackServer(answering: [.hold])
    defer { server.stop() }
    try await TestServer.runWithJane({
      $0.tracing = TraceSettings(endpoint: "http://127.0.0.1:\(server.port)")
      $0.operations = .address(host: "127.0.0.1", port: 0)
    }) { tested in
      for _ in 0..<20 { #expect(try await tested.client().login("jdoe", TestServer.janesPassword).status == 200) }
      _ = try await server.waitForRequests(1)
      #expect(try await tested.client().login("jdoe", TestServer.janesPassword).status == 200)
    }
  }

  @Test(
    "OP-08: the address of a collector is one of HTTP, without a password, and spans go to a path below it",
    arguments: [
      ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
      ("http://[::1]:4318/", "http://[::1]:4318/v1/traces"),
      ("https://otlp.example.org/x", "https://otlp.example.org/x/v1/traces"),
      ("http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/v1/traces"), ("", nil), ("collector:4318", nil),
      ("http://", nil), ("grpc://127.0.0.1:4317", nil), ("http://user:word@127.0.0.1:4318", nil),
      ("http://user@127.0.0.1:4318", nil), ("http://127.0.0.1:4318?key=word", nil), ("http://127.0.0.1:4318#x", nil),
      ("http://127.0.0.1:99999", nil),
    ] as [(String, String?)])
  func address(endpoint: String, url: String?) {
    var configuration = ServerConfiguration()
    configuration.tracing = TraceSettings(endpoint: endpoint)
    #expect(configuration.tracing?.url == url)
    #expect(configuration.problems.count == (url == nil ? 1 : 0))
    configuration.tracing?.percent = 0
    #expect(configuration.problems.count == (url == nil ? 2 : 1))
  }
}
