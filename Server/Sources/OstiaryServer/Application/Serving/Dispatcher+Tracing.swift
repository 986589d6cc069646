import HTTPTypes
import Hummingbird
import OstiaryCore
import Tracing

/// The spans of requests.
extension Dispatcher {
  /// Answers a request within a span, which has the request's route for its name. It ends when the head of the answer is there.
  func traced(
    _ request: Request, by tracer: any Tracer, _ context: Context, _ answer: () async -> Response
  ) async -> Response {
    let table = routes.withLock { $0 }
    var pattern: String?
    if case .found(_, _, let matched)? = table?.match(request.method, Self.target(of: request).path) {
      pattern = matched
    }
    let span = TraceSpan.request(
      tracer, request.method, route: pattern, request.headers, isTrusted: proxies.trust(context.clientAddress))
    defer { span.end() }
    span.set(.door, SpanText(pattern.flatMap { table?.doors[$0] } ?? "none"))
    return await TraceSpan.$current.withValue(span) {
      let response = await answer()
      span.set(.status, response.status.code)
      let kind = StatusClass(response.status)
      if kind == .serverError { span.fail(SpanText(kind)) }
      return response
    }
  }
}
