import HTTPTypes
import OstiaryCore
import Tracing

/// A span that is under way. Its words are of closed sets: no user, address, query or secret can become one.
///
/// It is a value of the task: what a request causes finds the request's span by itself. Without tracing there is none.
final class TraceSpan: Sendable {
  @TaskLocal static var current: TraceSpan?

  private let tracer: any Tracer
  private let span: any Tracing.Span
  private let isOver = Locked(false)

  private init(_ tracer: any Tracer, _ name: String, _ kind: SpanKind, _ context: ServiceContext) {
    self.tracer = tracer
    span = tracer.startSpan(name, context: context, ofKind: kind)
  }

  /// The span of a request.
  /// - Parameters:
  ///   - pattern: The pattern of its route; nil for a path that no route has.
  ///   - isTrusted: Whether the sender decides if the trace is recorded. Of others only the ids are taken: a client must not choose how
  ///     much this server sends to a collector.
  static func request(
    _ tracer: any Tracer, _ method: HTTPRequest.Method, route pattern: String?, _ headers: HTTPFields, isTrusted: Bool
  ) -> TraceSpan {
    var context = ServiceContext.topLevel
    tracer.extract(headers, into: &context, using: FieldsExtractor())
    if !isTrusted { context.trace?.isSampled = nil }
    let word = SpanText(method)
    let span = TraceSpan(tracer, pattern.map { "\(word.text) \($0)" } ?? word.text, .server, context)
    span.set(.method, word)
    if let pattern { span.set(.route, SpanText(route: pattern)) }
    return span
  }

  /// The span of work that no request waits for.
  static func root(_ tracer: any Tracer, _ name: SpanName) -> TraceSpan {
    TraceSpan(tracer, name.rawValue, name.kind, .topLevel)
  }

  /// A span below that of the running task; nil if there is none, or it has ended: a task that goes on after its request is no part of it.
  static func child(_ name: SpanName) -> TraceSpan? {
    guard let parent = current, !parent.isOver.withLock({ $0 }) else { return nil }
    return TraceSpan(parent.tracer, name.rawValue, name.kind, parent.span.context)
  }

  func set(_ key: SpanKey, _ value: SpanText) { span.attributes[key.rawValue] = value.text }
  func set(_ key: SpanKey, _ value: Int) { span.attributes[key.rawValue] = value }

  /// It ends with an error.
  func fail(_ error: SpanText) {
    set(.error, error)
    // Without a message: it could quote what a client has sent.
    span.setStatus(SpanStatus(code: .error))
  }

  /// It ends. Only the first call counts.
  func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { span.end() }
  }

  /// The id of the trace, for a log.
  var traceID: String? { span.context.trace?.traceID }

  /// The fields that tell another server of it.
  var fields: [String: String] {
    var fields: [String: String] = [:]
    tracer.inject(span.context, into: &fields, using: FieldsInjector())
    return fields
  }

  private struct FieldsExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { HTTPField.Name(key).flatMap { carrier[$0] } }
  }

  private struct FieldsInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
  }
}
