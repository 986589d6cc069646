import OstiaryCore
import Tracing

/// Makes the spans that are sent to a collector. It decides which traces are recorded, and reads and writes W3C Trace Context.
struct OTLPTracer: Tracer {
  private static let parentKey = "traceparent"
  private static let stateKey = "tracestate"

  private let exporter: SpanExporter
  /// The part of the traces that begin here that is recorded, from 0 to 1.
  private let ratio: Double

  init(_ exporter: SpanExporter, ratio: Double) {
    self.exporter = exporter
    self.ratio = ratio
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> OTLPSpan {
    var context = context()
    let parent = context.trace
    // A trace has all of its spans or none: what its first program has decided counts.
    let isSampled = parent?.isSampled ?? (ratio >= 1 || Double.random(in: 0..<1) < ratio)
    let trace = TraceContext(
      traceID: parent?.traceID ?? TraceContext.newTraceID(), spanID: TraceContext.newSpanID(), isSampled: isSampled,
      state: parent?.state)
    context.trace = trace
    let record = SpanRecord(
      name: operationName, kind: kind, context: trace, parent: parent?.spanID, start: instant().nanosecondsSinceEpoch)
    return OTLPSpan(record, in: context, exporter: isSampled ? exporter : nil)
  }

  /// Spans are sent by themselves.
  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let parent = extractor.extract(key: Self.parentKey, from: carrier) else { return }
    context.trace = TraceContext(
      parent: parent, state: extractor.extract(key: Self.stateKey, from: carrier))
  }

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let trace = context.trace else { return }
    injector.inject(trace.parent, forKey: Self.parentKey, into: &carrier)
    if let state = trace.state { injector.inject(state, forKey: Self.stateKey, into: &carrier) }
  }
}

/// What is sent of a span.
struct SpanRecord: Sendable {
  var name: String
  let kind: SpanKind
  let context: TraceContext
  /// The id of the span above it.
  let parent: String?
  /// In nanoseconds since 1970.
  let start: UInt64
  var end: UInt64 = 0
  var attributes = SpanAttributes()
  var hasFailed = false
}

/// A span that is sent when it has ended, or, without an exporter, is not recorded.
final class OTLPSpan: Tracing.Span {
  let context: ServiceContext
  private let exporter: SpanExporter?
  private let record: Locked<SpanRecord>

  init(_ record: SpanRecord, in context: ServiceContext, exporter: SpanExporter?) {
    self.record = Locked(record)
    self.context = context
    self.exporter = exporter
  }

  var isRecording: Bool { exporter != nil }

  var operationName: String {
    get { record.withLock { $0.name } }
    set { record.withLock { $0.name = newValue } }
  }

  var attributes: SpanAttributes {
    get { record.withLock { $0.attributes } }
    set { if isRecording { record.withLock { $0.attributes = newValue } } }
  }

  func setStatus(_ status: SpanStatus) {
    guard status.code == .error else { return }
    record.withLock { $0.hasFailed = true }
  }

  /// An error's text is never sent: it may quote the input.
  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    record.withLock { $0.hasFailed = true }
  }

  /// There are none.
  func addEvent(_ event: SpanEvent) {}
  func addLink(_ link: SpanLink) {}

  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    guard let exporter else { return }
    let now = instant().nanosecondsSinceEpoch
    let ended = record.withLock { record in
      // A clock may be set back meanwhile.
      record.end = max(record.start, now)
      return record
    }
    exporter.add(ended)
  }
}
