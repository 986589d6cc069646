import Foundation
import OstiaryCore
import OstiaryTesting
import PythonTestSupport
import Testing

@testable import OstiaryServer

/// What is sent, read by the classes that OpenTelemetry itself has made for Python.
@Suite("Spans as OpenTelemetry reads them", .timeLimit(.minutes(10)))
struct OTLPPythonTests {
  private static let python = PythonEnvironment(name: "otlp", packages: ["opentelemetry-proto>=1.30,<2"])

  /// OTLP writes ids in hexadecimal; JSON of Protocol Buffers has bytes in base64. That is all that is changed here, and a field that the
  /// classes don't know is an error.
  private static let program = """
    import base64, json, sys
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    IDS = ('traceId', 'spanId', 'parentSpanId')
    def with_base64(value):
        if isinstance(value, list): return [with_base64(each) for each in value]
        if not isinstance(value, dict): return value
        return {name: base64.b64encode(bytes.fromhex(each)).decode() if name in IDS else with_base64(each)
                for name, each in value.items()}
    found = []
    for text in json.load(sys.stdin):
        request = json_format.ParseDict(with_base64(json.loads(text)), ExportTraceServiceRequest())
        for resource in request.resource_spans:
            names = {each.key: each.value.string_value for each in resource.resource.attributes}
            for scope in resource.scope_spans:
                for span in scope.spans:
                    assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8)
                    assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
                    found.append({
                        'service': names['service.name'], 'node': names['service.instance.id'], 'name': span.name,
                        'trace': span.trace_id.hex(), 'id': span.span_id.hex(), 'parent': span.parent_span_id.hex(),
                        'kind': span.kind, 'status': span.status.code, 'flags': span.flags,
                        'attributes': {each.key: each.value.string_value or str(each.value.int_value)
                                       for each in span.attributes}})
    print(json.dumps(found))
    """

  private struct Found: Decodable {
    let service, node, name, trace, id, parent: String
    let kind, status, flags: Int
    let attributes: [String: String]
  }

  @Test(
    "OP-08: OpenTelemetry's own classes read the spans, whose ids are those of the traceparent",
    .enabled("There is no Python 3 with venv, or no registry with opentelemetry-proto.") {
      await Self.python.interpreter() != nil
    })
  func official() async throws {
    let interpreter = try #require(await Self.python.interpreter())
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
    let collector = try TraceCollector()
    defer { collector.stop() }
    try await TestServer.runWithJane({
      $0.tracing = collector.settings
      $0.trustedProxies = ["127.0.0.1"]
    }) { server in
      let fields = ["traceparent": "00-\(trace)-\(parent)-01", "tracestate": "a=1"]
      let client = server.client()
      _ = try await client.get(
        Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword).merging(fields) { $1 })
    }
    let input = String(decoding: try JSONEncoder().encode(collector.bodies), as: UTF8.self)
    let result = try await ChildProcess.run(interpreter, ["-c", Self.program], input: input)
    #expect(result.status == 0, "\(result.error)")
    let found = try JSONDecoder().decode([Found].self, from: Data(result.output.utf8))
    let sent = try collector.spans
    #expect(found.map(\.id) == sent.map(\.id) && found.map(\.attributes) == sent.map(\.attributes))
    #expect(!found.isEmpty && found.allSatisfy { $0.service == "ostiary" && $0.node == "one" && $0.flags == 1 })
    let request = try #require(found.first { $0.kind == 2 })
    #expect(request.trace == trace && request.parent == parent && request.status == 0)
    #expect(request.name == "GET /prweb/PRServlet")
    #expect(found.allSatisfy { $0.trace == trace } && found.contains { $0.parent == request.id })
  }
}
