import HTTPTypes
import Tracing

/// The spans of this server, besides those of requests, which have the name of their route.
enum SpanName: String {
  case databaseCall = "database call"
  case passwordHash = "password hash"
  case upstreamCall = "upstream call"
  case mailDelivery = "mail delivery"

  var kind: SpanKind {
    switch self {
    case .passwordHash: .internal
    case .databaseCall, .upstreamCall, .mailDelivery: .client
    }
  }
}

/// The names of a span's attributes: those of OpenTelemetry where there is one.
enum SpanKey: String {
  case method = "http.request.method"
  case route = "http.route"
  case status = "http.response.status_code"
  case door = "ostiary.door"
  case error = "error.type"
  case database = "db.system.name"
  case operation = "db.operation.name"
  case attempts = "ostiary.database.attempts"
  case outcome = "ostiary.outcome"
}

/// A text in a span: one of the sources or of the configuration, never one of a client.
struct SpanText: Hashable, Sendable {
  let text: String

  init(_ value: MetricValue) { text = value.text }

  init(_ label: some MetricLabel) { text = label.rawValue }

  /// - Parameter pattern: The pattern of a route, with the names of its parameters and not their values.
  init(route pattern: String) { text = pattern }

  /// A client may write any word as a method.
  init(_ method: HTTPRequest.Method) {
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .patch, .options, .connect, .trace]
    text = known.contains(method) ? method.rawValue : "_OTHER"
  }
}
