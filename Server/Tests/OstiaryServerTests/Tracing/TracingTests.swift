import Foundation
import HTTPTypes
import InMemoryTracing
import Logging
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Spans of requests", .timeLimit(.minutes(10)))
struct TracingTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let parent = "00-\(trace)-00f067aa0ba902b7-01"
  private static let slow = Route("/things/:thing", [.get: { _ in DoorResponse(status: .ok) }])

  private static func requests(_ spans: [TraceCollector.Span]) -> [TraceCollector.Span] {
    spans.filter { $0.kind == 2 }
  }

  @Test("OP-08: a request, its calls of the database and its hash are spans of the trace that its traceparent names")
  func requests() async throws {
    let spans = try await TraceCollector.spans({ $0.trustedProxies = ["127.0.0.1"] }) { server in
      let answer = try await server.client().get(
        Client.loginActivity,
        headers: Client.basic("jdoe", TestServer.janesPassword).merging(["traceparent": Self.parent]) { $1 })
      #expect(answer.status == 200)
    }
    let request = try #require(Self.requests(spans).first)
    #expect(request.trace == Self.trace && request.parent == "00f067aa0ba902b7" && !request.hasFailed)
    #expect(request.name == "GET /prweb/PRServlet")
    #expect(
      request.attributes == [
        "http.request.method": "GET", "http.route": "/prweb/PRServlet", "http.response.status_code": "200",
        "ostiary.door": "pega",
      ])
    let below = spans.filter { $0.parent == request.id }
    #expect(below.allSatisfy { $0.trace == Self.trace } && below.count == spans.count - 1)
    #expect(below.contains { $0.name == "password hash" && $0.kind == 1 })
    let calls = below.filter { $0.name == "database call" }
    let kinds = Set(StorageCallKind.allCases.map(\.rawValue))
    #expect(calls.allSatisfy { kinds.contains($0.attributes["db.operation.name"] ?? "") })
    #expect(
      calls.contains {
        $0.attributes["db.operation.name"]?.hasSuffix("write") == true && $0.attributes["ostiary.outcome"] == "done"
      })
    let engine = TestDatabase.isPostgreSQL ? "postgresql" : "sqlite"
    #expect(
      calls.allSatisfy {
        $0.kind == 3 && $0.attributes["db.system.name"] == engine
          && Int($0.attributes["ostiary.database.attempts"] ?? "") ?? 0 >= 1
      })
    #expect(Set(spans.map(\.id)).count == spans.count)
  }

  @Test("OP-08: the names of spans are routes, never paths, queries or methods that a client has made up")
  func names() async throws {
    let spans = try await TraceCollector.spans(furtherRoutes: [
      Self.slow, Route("/broken", [.get: { _ in throw ServerError(.storageBusy, "x", retryAfter: .seconds(1)) }]),
    ]) { server in
      let client = server.client()
      for target in ["/things/planted?planted=planted", "/planted/planted?planted", "/broken?planted"] {
        _ = try await client.get(target, headers: ["User-Agent": "planted", "traceparent": "planted"])
      }
      _ = try await client.send("PROPFIND", "/things/planted")
    }
    let told: [[String?]] = Self.requests(spans).map { span in
      [span.name, span.attributes["ostiary.door"], span.attributes["http.route"]]
    }
    let wanted: [[String?]] = [
      ["GET /things/:thing", "server", "/things/:thing"], ["GET", "none", nil], ["GET /broken", "server", "/broken"],
      ["_OTHER", "none", nil],
    ]
    #expect(told == wanted)
    #expect(Self.requests(spans).map(\.hasFailed) == [false, false, true, false])
    for span in spans { #expect(!"\(span.json)".lowercased().contains("planted"), "\(span.json)") }
  }

  @Test(
    "OP-08: a traceparent that is none begins a trace of its own",
    arguments: [
      "planted", "\(parent)-01", "ff\(parent.dropFirst(2))", parent.uppercased(), "\(parent), \(parent)",
      "00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01",
    ])
  func badParent(text: String) async throws {
    let spans = try await TraceCollector.spans({ $0.trustedProxies = ["127.0.0.1"] }) { server in
      _ = try await server.client().get("/healthz", headers: ["traceparent": text, "tracestate": "planted=1"])
    }
    let request = try #require(Self.requests(spans).first)
    #expect(request.parent == nil && request.trace != Self.trace)
  }

  @Test("OP-08: a trusted proxy decides whether a trace is recorded; of other clients only the ids are taken")
  func sampling() async throws {
    for (isTrusted, flags, isRecorded) in [(true, "01", true), (true, "00", false), (false, "00", true)] {
      let spans = try await TraceCollector.spans({ if isTrusted { $0.trustedProxies = ["127.0.0.1"] } }) { server in
        _ = try await server.client().get("/healthz", headers: ["traceparent": String(Self.parent.dropLast(2)) + flags])
      }
      #expect(Self.requests(spans).map(\.trace) == (isRecorded ? [Self.trace] : []), "\(isTrusted) \(flags)")
    }
    // Of one request in a hundred, those that a client asks for are not more.
    let spans = try await TraceCollector.spans({ $0.tracing?.percent = 1 }) { server in
      for _ in 0..<100 { _ = try await server.client().get("/healthz", headers: ["traceparent": Self.parent]) }
    }
    #expect(Self.requests(spans).count < 50)
  }

  @Test(
    "OP-08: a server behind the gateway gets the trace, with the span of the call as its parent, and no client's words")
  func upstream() async throws {
    try await withUpstream { upstream in
      let spans = try await TraceCollector.spans({
        $0.trustedProxies = ["127.0.0.1"]
        $0.gateway = GatewayDoorConfiguration()
        $0.gateway?.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
        $0.gateway?.publicPaths = ["/app/x"]
      }) { server in
        let client = server.client()
        for (parent, state) in [(Self.parent, "a=planted"), ("planted", "planted=1")] {
          let answer = try await client.get("/app/x", headers: ["traceparent": parent, "tracestate": state])
          #expect(answer.status == 200)
        }
      }
      let calls = spans.filter { $0.name == "upstream call" }
      let got = upstream.requests
      try #require(calls.count == 2 && got.count == 2)
      for (call, request) in zip(calls, got) {
        let name = try #require(HTTPField.Name("traceparent"))
        #expect(request.fields[values: name] == ["00-\(call.trace)-\(call.id)-01"])
        #expect(
          call.kind == 3 && call.attributes == ["http.request.method": "GET", "http.response.status_code": "200"])
        #expect(Self.requests(spans).contains { $0.id == call.parent && $0.trace == call.trace })
      }
      #expect(calls[0].trace == Self.trace && calls[1].trace != Self.trace)
      let name = try #require(HTTPField.Name("tracestate"))
      #expect(got.map { $0.fields[name] } == ["a=planted", nil])
      for span in spans { #expect(!"\(span.json)".contains("planted")) }
    }
  }

  @Test("OP-08: without tracing a server behind the gateway gets the client's own fields")
  func untraced() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({
        $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
        $0.publicPaths = ["/app/x"]
      }) { gateway in
        _ = try await gateway.client.get("/app/x", headers: ["traceparent": Self.parent])
        let name = try #require(HTTPField.Name("traceparent"))
        #expect(upstream.requests.map { $0.fields[name] } == [Self.parent])
      }
    }
  }

  @Test("OP-08: a mail is a trace of its own, with its outcome, and no part of the request that caused it")
  func mail() async throws {
    let collector = try TraceCollector()
    defer { collector.stop() }
    try await TestServer.runWithAccounts({ $0.tracing = collector.settings }) { server in
      try await AccountCalls(server: server).signUp("ann@example.com")
    }
    let spans = try collector.spans
    let mails = spans.filter { $0.name == "mail delivery" }
    #expect(!mails.isEmpty && mails.allSatisfy { $0.parent == nil })
    #expect(mails.contains { $0.attributes == ["ostiary.outcome": "sent"] && !$0.hasFailed })
    for mail in mails { #expect(spans.contains { $0.parent == mail.id && $0.name == "database call" }) }
    #expect(Self.requests(spans).allSatisfy { request in !mails.contains { $0.trace == request.trace } })
  }

  @Test("OP-08: a line of the log has the id of its trace")
  func log() async throws {
    let lines = Locked<[String]>([])
    let spans = try await TraceCollector.spans(furtherRoutes: [
      Route(
        "/logs",
        [
          .get: { _ in
            let logger = Logger(label: "l") { label in
              JSONLogHandler(label: label, node: "one") { line in lines.withLock { $0.append(line) } }
            }
            logger.info("hello")
            return DoorResponse(status: .ok)
          }
        ])
    ]) { server in _ = try await server.client().get("/logs") }
    let line = try #require(lines.withLock { $0.first })
    #expect(line.contains("\"trace_id\":\"\(try #require(Self.requests(spans).first).trace)\""))
  }

  @Test("OP-08: an embedding program's own tracer gets the spans instead")
  func ownTracer() async throws {
    let tracer = InMemoryTracer()
    try await TestServer.runWithJane({ $0.tracer = tracer }) { server in
      _ = try await server.client().login("jdoe", TestServer.janesPassword)
    }
    let spans = tracer.finishedSpans
    let request = try #require(spans.first { $0.operationName == "GET /prweb/PRServlet" })
    #expect(spans.contains { $0.operationName == "password hash" && $0.parentSpanID == request.spanID })
  }

  @Test("OP-08: what goes on after its request is no part of the request's trace")
  func afterwards() async throws {
    let tracer = InMemoryTracer()
    let span = TraceSpan.request(tracer, .get, route: "/x", [:], isTrusted: true)
    TraceSpan.$current.withValue(span) {
      TraceSpan.child(.passwordHash)?.end()
      span.end()
      span.end()
      #expect(TraceSpan.child(.passwordHash) == nil)
    }
    #expect(tracer.finishedSpans.map(\.operationName) == ["password hash", "GET /x"])
    #expect(TraceSpan.child(.passwordHash) == nil)
  }
}
