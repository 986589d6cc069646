import CoreMetrics
import Foundation
import Logging
import OstiaryCore
import Tracing

/// Sends the messages in the outbox, one after the other, apart from the requests that put them there.
///
/// A message that could not be sent is tried again, at growing intervals, until it expires. Several processes may share
/// an outbox: one process at a time has a message.
final class MailDispatcher: Sendable {
  /// The wait before the second attempt; it doubles with each one.
  private static let firstWait: TimeInterval = 5
  private static let longestWait: TimeInterval = 600
  /// How long one process has a message.
  private static let lease = Duration.seconds(300)

  private let storage: ServerStorage
  private let outbox: Outbox
  private let sender: any MailSender
  private let clock: any SessionClock
  private let logger: Logger
  private let deliveries: CounterMetric
  private let tracer: (any Tracer)?
  private let state = Locked(State())

  private struct State {
    /// When the first message could not be sent since one was sent.
    var failingSince: Date?
    var worker: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// A caller rang while the worker was about to stop.
    var isRung = false
    var isStopped = false
  }

  init(
    storage: ServerStorage, outbox: Outbox, sender: any MailSender, clock: any SessionClock, logger: Logger,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil
  ) {
    self.tracer = tracer
    deliveries = CounterMetric(MailMetrics.deliveries, metrics)
    self.storage = storage
    self.outbox = outbox
    self.sender = sender
    self.clock = clock
    self.logger = logger
  }

  /// Signals that there may be a message to send. Returns at once.
  func ring() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isRung = true
      guard state.worker == nil else { return }
      state.timer?.cancel()
      state.timer = nil
      // The request that rings is not what the mail is about.
      state.worker = TraceSpan.$current.withValue(nil) { Task { await self.work() } }
    }
  }

  /// Waits until every message that is due has been tried.
  func settle() async {
    while let worker = state.withLock({ $0.worker }) { await worker.value }
  }

  /// Ends, even in the middle of a message. The rest is sent after the next start.
  func stop() async {
    let (worker, timer) = state.withLock { state in
      state.isStopped = true
      return (state.worker, state.timer)
    }
    timer?.cancel()
    worker?.cancel()
    await worker?.value
  }

  private func work() async {
    while state.withLock({ state in
      defer { state.isRung = false }
      if !state.isRung || state.isStopped {
        state.worker = nil
        return false
      }
      return true
    }) {
      do {
        while !Task.isCancelled, let claimed = try await claim() { await deliver(claimed) }
        let next = try await storage.read { db in try Outbox.nextDue(in: db) }
        if let next { ringLater(max(1, next.timeIntervalSince(clock.now))) }
      } catch {
        logger.error("the outbox can't be read", metadata: ["error": "\(error.code)"])
        ringLater(Self.firstWait)
      }
    }
  }

  private func ringLater(_ seconds: TimeInterval) {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.timer?.cancel()
      state.timer = Task {
        do { try await Task.sleep(for: .seconds(min(seconds, Self.longestWait))) } catch { return }
        self.ring()
      }
    }
  }

  /// How long no message could be sent; nil if the last one was.
  var failing: Duration? {
    let since = state.withLock { $0.failingSince }
    return since.map { .seconds(max(0, clock.now.timeIntervalSince($0))) }
  }

  private func note(_ outcome: MailOutcome) {
    deliveries.add(1, MetricValue(outcome))
    TraceSpan.current?.set(.outcome, SpanText(outcome))
    if outcome != .sent { TraceSpan.current?.fail(SpanText(outcome)) }
    let now = clock.now
    state.withLock { state in
      switch outcome {
      case .sent: state.failingSince = nil
      case .postponed: state.failingSince = state.failingSince ?? now
      // The mail server answers, and refuses this message.
      case .givenUp, .expired: break
      }
    }
  }

  private func claim() async throws(ServerError) -> Outbox.Claimed? {
    let now = clock.now
    return try await storage.write { [outbox] db in try outbox.claim(now: now, lease: Self.lease, in: db) }
  }

  private func deliver(_ claimed: Outbox.Claimed) async {
    let span = tracer.map { TraceSpan.root($0, .mailDelivery) }
    defer { span?.end() }
    await TraceSpan.$current.withValue(span) { await attempt(claimed) }
  }

  private func attempt(_ claimed: Outbox.Claimed) async {
    var retry: Date?
    if let entry = claimed.entry, !entry.isBlank {
      if claimed.expiresAt <= clock.now {
        logger.warning(
          "a mail was given up: it is of no use any more", metadata: ["attempts": "\(claimed.attempts - 1)"])
        note(.expired)
      } else {
        do {
          try await sender.send(entry.message)
          logger.info("a mail was sent", metadata: ["attempts": "\(claimed.attempts)"])
          note(.sent)
        } catch {
          let isOver = !error.isTransient
          logger.log(
            level: isOver ? .error : .warning, isOver ? "a mail was given up" : "a mail was not sent yet",
            metadata: ["attempts": "\(claimed.attempts)", "reason": "\(error)"])
          note(isOver ? .givenUp : .postponed)
          if !isOver { retry = clock.now.addingTimeInterval(Self.wait(after: claimed.attempts)) }
        }
      }
    } else if claimed.entry == nil {
      logger.error("a mail was given up: its key has been lost")
    }
    do {
      try await storage.write { [outbox, retry] db in
        if let retry {
          try outbox.postpone(claimed.id, until: retry, in: db)
        } else {
          try outbox.remove(claimed.id, in: db)
        }
      }
    } catch {
      // The message stays with this process until the lease ends, and is then sent again: a duplicate is better than a loss.
      logger.error("a mail can't be taken out of the outbox", metadata: ["error": "\(error.code)"])
    }
  }

  /// With jitter: not all processes return at once to a mail server that has recovered.
  private static func wait(after attempts: Int) -> TimeInterval {
    let wait = min(firstWait * pow(2, Double(min(attempts, 16) - 1)), longestWait)
    return wait * Double.random(in: 0.75...1.25)
  }
}
