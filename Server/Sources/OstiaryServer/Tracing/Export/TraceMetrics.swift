/// What became of a span, in metrics.
enum SpanOutcome: String, MetricLabel {
  case sent
  /// Too many were waiting.
  case dropped
  /// The collector did not take it.
  case failed
}

/// The metrics of tracing.
enum TraceMetrics {
  static let spans = MetricDefinition(
    "ostiary_trace_spans_total", .counter, "Spans, by whether the collector has them.",
    MetricDimension("outcome", SpanOutcome.self))
}
