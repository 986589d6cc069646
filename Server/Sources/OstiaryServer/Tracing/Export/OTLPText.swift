import OstiaryCore
import Tracing

/// The JSON in which OTLP sends spans: Protocol Buffers' own, but for the ids, which are hexadecimal, and the kinds, which are numbers
/// (OpenTelemetry Protocol, "JSON Protobuf Encoding").
struct OTLPText: Sendable {
  /// What all spans of this server have in common.
  private let resource: JSONValue

  /// - Parameter node: The name of this server among others.
  init(node: String?) {
    var attributes = [Self.attribute("service.name", .object(["stringValue": "ostiary"]))]
    if let node { attributes.append(Self.attribute("service.instance.id", .object(["stringValue": .string(node)]))) }
    resource = .object(["attributes": .array(attributes)])
  }

  func bytes(_ spans: [SpanRecord]) -> [UInt8] {
    let scope: JSONValue = .object([
      "scope": .object(["name": "ostiary"]), "spans": .array(spans.map(Self.span)),
    ])
    let request: JSONValue = .object([
      "resourceSpans": .array([.object(["resource": resource, "scopeSpans": .array([scope])])])
    ])
    // It has no number that JSON can't write.
    return (try? JSONText(request))?.bytes ?? []
  }

  private static func span(_ span: SpanRecord) -> JSONValue {
    var members: [String: JSONValue] = [
      "traceId": .string(span.context.traceID), "spanId": .string(span.context.spanID), "name": .string(span.name),
      "kind": .integer(kind(span.kind)), "startTimeUnixNano": .string("\(span.start)"),
      "endTimeUnixNano": .string("\(span.end)"), "flags": .integer(1),
    ]
    // Without the state of the trace, in which a client can write what it likes.
    if let parent = span.parent { members["parentSpanId"] = .string(parent) }
    if span.hasFailed { members["status"] = .object(["code": .integer(2)]) }
    var attributes: [(String, JSONValue)] = []
    span.attributes.forEach { name, value in
      if let value = Self.value(value) { attributes.append((name, attribute(name, value))) }
    }
    members["attributes"] = .array(attributes.sorted { $0.0 < $1.0 }.map(\.1))
    return .object(members)
  }

  private static func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
    .object(["key": .string(name), "value": value])
  }

  /// Nil for a kind of value that this server has not.
  private static func value(_ attribute: SpanAttribute) -> JSONValue? {
    switch attribute {
    case .string(let text): .object(["stringValue": .string(text)])
    case .int64(let number): .object(["intValue": .string("\(number)")])
    case .int32(let number): .object(["intValue": .string("\(number)")])
    case .bool(let value): .object(["boolValue": .bool(value)])
    default: nil
    }
  }

  private static func kind(_ kind: SpanKind) -> Int64 {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}
