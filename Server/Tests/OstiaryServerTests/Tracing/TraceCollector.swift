import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// A collector of OpenTelemetry's, which keeps what it gets.
struct TraceCollector: Sendable {
  /// A span, as it was sent.
  struct Span: Sendable {
    let json: JSONValue
    let name: String
    let trace: String
    let id: String
    let parent: String?
    let kind: Int
    let hasFailed: Bool
    let attributes: [String: String]

    init(_ json: JSONValue) throws {
      self.json = json
      name = try #require(json["name"]?.string)
      trace = try #require(json["traceId"]?.string)
      id = try #require(json["spanId"]?.string)
      parent = json["parentSpanId"]?.string
      kind = Int(try #require(json["kind"]?.double))
      hasFailed = json["status"]?["code"]?.double == 2
      let start = try #require(json["startTimeUnixNano"]?.string.flatMap { UInt64($0) })
      let end = try #require(json["endTimeUnixNano"]?.string.flatMap { UInt64($0) })
      #expect(0 < start && start <= end)
      var attributes: [String: String] = [:]
      for attribute in json["attributes"]?.array ?? [] {
        let value = attribute["value"]
        attributes[try #require(attribute["key"]?.string)] = try #require(
          value?["stringValue"]?.string ?? value?["intValue"]?.string)
      }
      self.attributes = attributes
    }
  }

  private let server: LoopbackServer

  /// - Parameter status: Its answers'.
  init(status: Int = 200) throws {
    server = try LoopbackServer { request in
      request.path == "/v1/traces"
        ? [.response(status, [("Content-Type", "application/json")], body: "{}")] : [.response(404)]
    }
  }

  var settings: TraceSettings {
    var settings = TraceSettings(endpoint: "http://127.0.0.1:\(server.port)")
    settings.node = "one"
    settings.stopTime = .seconds(120)
    return settings
  }

  /// What it got, call for call.
  var bodies: [String] { server.requests.map(\.text) }

  var spans: [Span] {
    get throws {
      try server.requests.flatMap { request in
        #expect(request.method == "POST" && request.path == "/v1/traces")
        #expect(request.fields[.contentType] == "application/json")
        let document = try #require(JSONValue(json: request.body))
        return try (document["resourceSpans"]?.array ?? []).flatMap { resource in
          try (resource["scopeSpans"]?.array ?? []).flatMap { scope in
            try (scope["spans"]?.array ?? []).map { try Span($0) }
          }
        }
      }
    }
  }

  func stop() { server.stop() }

  /// The spans of a server, all of them sent when it stops.
  static func spans(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, furtherRoutes: [Route] = [],
    body: (TestServer) async throws -> Void
  ) async throws -> [Span] {
    let collector = try TraceCollector()
    defer { collector.stop() }
    try await TestServer.run(
      {
        $0.tracing = collector.settings
        configure(&$0)
      }, furtherRoutes: furtherRoutes
    ) { server in
      try await server.identity.addUser(
        name: "jdoe", displayName: "Jane Doe", password: Secret(TestServer.janesPassword))
      try await body(server)
    }
    return try collector.spans
  }
}
