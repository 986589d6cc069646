import AsyncHTTPClient
import CoreMetrics
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OstiaryCore

/// Sends spans to a collector, many at a time, apart from the requests that they are about.
///
/// A request never waits for it: what the collector doesn't take in time is dropped, and counted.
final class SpanExporter: Sendable {
  /// The most spans that wait. More are dropped.
  static let most = 4096
  /// The most spans of one call.
  private static let batch = 512
  private static let interval = Duration.seconds(2)
  private static let answerTime = TimeAmount.seconds(5)
  /// The waits before further attempts.
  private static let waits: [Duration] = [.seconds(1), .seconds(4)]

  private struct State {
    var spans: [SpanRecord] = []
    var isStopping = false
    var worker: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// Whether the last call has failed: the log has the first failure alone.
    var isFailing = false
  }

  private let url: String
  private let text: OTLPText
  private let client: HTTPClient
  private let stopTime: Duration
  private let logger: Logger
  private let outcomes: CounterMetric
  private let state = Locked(State())
  private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - url: Where spans are sent.
  ///   - stopTime: How long a stop waits for the spans that are left.
  init(
    url: String, node: String?, stopTime: Duration, logger: Logger,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.url = url
    self.stopTime = stopTime
    self.logger = logger
    text = OTLPText(node: node)
    outcomes = CounterMetric(TraceMetrics.spans, metrics)
    var settings = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: Self.answerTime, read: Self.answerTime))
    settings.connectionPool.retryConnectionEstablishment = false
    settings.httpVersion = .http1Only
    settings.tracing.tracer = nil
    client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
  }

  deinit {
    // Without this, a client that was not closed would end the process. A second call only returns an error.
    client.shutdown(queue: .global()) { _ in }
  }

  /// Takes a span. Returns at once.
  func add(_ span: SpanRecord) {
    let waiting: Int? = state.withLock { state in
      guard !state.isStopping, state.spans.count < Self.most else { return nil }
      state.spans.append(span)
      return state.spans.count
    }
    guard let waiting else { return outcomes.add(1, MetricValue(SpanOutcome.dropped)) }
    if waiting == Self.batch { wake.yield() }
  }

  /// Begins to send.
  func start() {
    state.withLock { state in
      guard state.worker == nil, !state.isStopping else { return }
      // Detached: the spans of one request are not another's.
      state.worker = Task.detached { [self] in
        for await _ in wakes { await sendAll() }
        await sendAll()
      }
      state.timer = Task.detached { [wake] in
        while (try? await Task.sleep(for: Self.interval)) != nil { wake.yield() }
      }
    }
  }

  /// Sends what is left, for a short time, and ends.
  func stop() async {
    let (worker, timer) = state.withLock { state in
      state.isStopping = true
      return (state.worker, state.timer)
    }
    timer?.cancel()
    wake.finish()
    let limit = Task { [stopTime] in
      try await Task.sleep(for: stopTime)
      worker?.cancel()
    }
    await worker?.value
    limit.cancel()
    let left = state.withLock { state in
      defer { state.spans = [] }
      return state.spans.count
    }
    outcomes.add(left, MetricValue(SpanOutcome.dropped))
    // It fails only if it was closed before.
    try? await client.shutdown()
  }

  /// How many spans wait.
  var waiting: Int { state.withLock { $0.spans.count } }

  private func sendAll() async {
    while !Task.isCancelled {
      let spans = state.withLock { state in
        defer { state.spans.removeFirst(min(Self.batch, state.spans.count)) }
        return Array(state.spans.prefix(Self.batch))
      }
      guard !spans.isEmpty else { return }
      await send(spans)
    }
  }

  private func send(_ spans: [SpanRecord]) async {
    let bytes = text.bytes(spans)
    var waits = Self.waits[...]
    while true {
      let answer = await post(bytes)
      if case .taken = answer { return note(spans.count, isSent: true) }
      guard case .busy = answer, let wait = waits.popFirst(), !state.withLock({ $0.isStopping }),
        (try? await Task.sleep(for: wait * Double.random(in: 0.75...1.25))) != nil
      else { return note(spans.count, isSent: false) }
    }
  }

  private func note(_ count: Int, isSent: Bool) {
    outcomes.add(count, MetricValue(isSent ? SpanOutcome.sent : .failed))
    let isNew = state.withLock { state in
      defer { state.isFailing = !isSent }
      return !isSent && !state.isFailing
    }
    if isNew { logger.warning("The collector takes no spans. Requests are not affected.") }
  }

  private enum Answer {
    case taken
    /// It may take them later (OTLP/HTTP, "Retryable Response Codes").
    case busy
    case refused
  }

  private func post(_ bytes: [UInt8]) async -> Answer {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: bytes))
    guard let response = try? await client.execute(request, timeout: Self.answerTime) else { return .busy }
    // The connection can be used again when the answer was read. What it says of single spans changes nothing.
    _ = try? await response.body.collect(upTo: 64 << 10)
    switch response.status.code {
    case 200..<300: return .taken
    case 429, 502, 503, 504: return .busy
    default: return .refused
    }
  }
}
