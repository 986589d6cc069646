internal import Foundation
internal import HTTPTypes
internal import Logging
internal import OstiaryCore

extension EventTracker {
  private enum Step {
    case wait(Task<Void, any Error>)
    case send
  }

  /// Sees to it that what waits is delivered.
  func deliver() {
    guard configuration.address != nil else { return }
    let (pause, starts) = state.withLock { state -> (Task<Void, any Error>?, Bool) in
      defer { state.isDelivering = true }
      // A full batch need not wait for more; one that waits after a failure does.
      return (isFull(state) ? state.pause : nil, !state.isDelivering)
    }
    pause?.cancel()
    if starts { run() }
  }

  /// Sends batches until nothing is left. While nothing is sent, nothing here keeps the tracker alive.
  func run() {
    Task { [weak self, queue] in
      try await queue.restore()
      while let step = self?.nextStep() {
        switch step {
        case .wait(let pause): _ = await pause.result
        case .send: await self?.sendBatch()
        }
      }
    }
  }

  private func isFull(_ state: State) -> Bool {
    state.failures == 0 && queue.value.count >= state.batchCount
  }

  /// What to do next; `nil` ends the delivery.
  private func nextStep() -> Step? {
    let (step, waiters) = state.withLock { state -> (Step?, [SharedWork<Void>]) in
      state.pause = nil
      guard !queue.value.isEmpty else {
        state.isDelivering = false
        state.isFlushing = false
        state.hasWaited = false
        defer { state.waiters = [] }
        return (nil, state.waiters)
      }
      if state.hasWaited || state.isFlushing || isFull(state) {
        state.hasWaited = false
        return (.send, [])
      }
      state.hasWaited = true
      let duration = state.failures > 0 ? state.backOff : state.configuration.interval
      let pause = Task { [clock] in try await clock.sleep(for: duration) }
      state.pause = pause
      return (.wait(pause), [])
    }
    for waiter in waiters { waiter.finish(.success(())) }
    return step
  }

  private func sendBatch() async {
    let (configuration, count) = state.withLock { ($0.configuration, $0.batchCount) }
    guard let address = configuration.address else { return }
    let batch = EventBatch(items: queue.value.batch(count: count, size: configuration.batchSize))
    // Everything may have been forgotten since.
    guard !batch.items.isEmpty else { return }
    do {
      let request = try batch.request(configuration, to: address)
      let head = try await head(answering: request)
      switch EventBatch.verdict(of: head, now: clock.now) {
      case .delivered:
        finish(batch)
      case .later(let wait):
        throw OstiaryError(
          .serverUnavailable, "The server did not take events now (\(head.status.code)).",
          advice: "They are kept and sent again.", disposition: .transient(retryAfter: wait), request: request.head)
      case .refused(let status):
        refuse(
          batch,
          OstiaryError(
            .unexpectedResponse, "The server refused an event for what it is (\(status)).",
            advice: "It is dropped, so that others can follow.", request: request.head))
      }
    } catch let error as OstiaryError {
      fail(error)
    } catch {
      fail(OstiaryError(.connectionLost, "Events could not be sent.", underlying: error))
    }
  }

  /// Sends a request and reads the head of the response. A body of the usual size is read too, so that the connection can
  /// be used again.
  private func head(answering request: TransportRequest) async throws -> HTTPResponse {
    let response = try await transport.stream(request)
    let (body, limit) = (response.body, request.responseBodyLimit)
    _ = try? await withDeadline(.seconds(5)) {
      try await body.collect(upTo: limit)
    } timedOut: {
      OstiaryError(.timedOut, "The response's body did not come in time.", request: request.head)
    }
    return response.head
  }

  private func finish(_ batch: EventBatch) {
    let ids = batch.ids
    queue.update { $0.remove(ids) }
    state.withLock { state in
      state.failures = 0
      state.refusals = 0
      state.lastError = nil
      state.batchCount = min(state.batchCount * 2, max(state.configuration.batchCount, 1))
    }
  }

  /// Finds the event that a server can't take by sending fewer at a time, and drops it. A server that takes none is left in
  /// peace for a while, as after a failure.
  private func refuse(_ batch: EventBatch, _ error: OstiaryError) {
    guard batch.items.count <= 1 else {
      return state.withLock { $0.batchCount = max(batch.items.count / 2, 1) }
    }
    let ids = batch.ids
    queue.update { $0.remove(ids, wereLost: true) }
    let refusals = state.withLock { state in
      state.refusals += 1
      state.lastError = error
      return state.refusals
    }
    logger.warning("\(error)")
    if refusals > 3 { fail(error) }
  }

  private func fail(_ error: OstiaryError) {
    let (waiters, failures) = state.withLock { state -> ([SharedWork<Void>], Int) in
      state.failures += 1
      state.lastError = error
      state.isFlushing = false
      state.hasWaited = false
      state.backOff = state.configuration.retry.delay(afterFailures: state.failures, asked: error.retryAfter)
      defer { state.waiters = [] }
      return (state.waiters, state.failures)
    }
    if failures == 1 { logger.warning("\(error)") }
    for waiter in waiters { waiter.finish(.failure(error)) }
  }
}
