internal import Foundation
internal import HTTPTypes
internal import Logging
internal import OstiaryCore

extension EventTracker {
  /// Where a batch goes, and with what.
  private struct Sending {
    let configuration: EventConfiguration
    let address: URL
    let count: Int
    /// The address and the fields that it goes to and with.
    let turn: UInt64
  }

  private enum Step {
    case wait(Task<Void, any Error>)
    case send(Sending)
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
        case .send(let sending): await self?.sendBatch(sending)
        }
      }
    }
  }

  private func isFull(_ state: State) -> Bool {
    state.failures == 0 && queue.value.count >= state.batchCount
  }

  /// What to do next; `nil` ends the delivery.
  private func nextStep() -> Step? {
    let (step, done, stranded) = state.withLock { state -> (Step?, [Waiter], [Waiter]) in
      state.pause = nil
      let waiting = queue.value
      let done = state.takeDone(waiting)
      guard !waiting.isEmpty, let address = state.configuration.address else {
        state.isDelivering = false
        state.hasWaited = false
        defer { state.waiters = [] }
        return (nil, done, state.waiters)
      }
      if state.hasWaited || state.isFlushing || isFull(state) {
        state.hasWaited = false
        let sending = Sending(
          configuration: state.configuration, address: address, count: state.batchCount, turn: state.turn)
        return (.send(sending), done, [])
      }
      state.hasWaited = true
      let duration = state.failures > 0 ? state.backOff : state.configuration.interval
      let pause = Task { [clock] in try await clock.sleep(for: duration) }
      state.pause = pause
      return (.wait(pause), done, [])
    }
    for waiter in done { waiter.work.finish(.success(())) }
    for waiter in stranded { waiter.work.finish(.failure(Self.noAddress)) }
    return step
  }

  private func sendBatch(_ sending: Sending) async {
    let configuration = sending.configuration
    let batch = EventBatch(items: queue.value.batch(count: sending.count, size: configuration.batchSize))
    // Everything may have been forgotten since.
    guard !batch.items.isEmpty else { return }
    do {
      let request = try batch.request(configuration, to: sending.address)
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
            advice: "It is dropped, so that others can follow.", request: request.head), sending.turn)
      }
    } catch let error as OstiaryError {
      fail(error, sending.turn)
    } catch {
      fail(OstiaryError(.connectionLost, "Events could not be sent.", underlying: error), sending.turn)
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

  /// How many changes are kept for another attempt to write: an event that is sent again counts once.
  private var most: Int { configuration.mostChanges }

  private func finish(_ batch: EventBatch) {
    let ids = batch.ids
    queue.update(keeping: most) { $0.remove(ids) }
    state.withLock { state in
      state.failures = 0
      state.refusals = 0
      state.lastError = nil
      state.batchCount = min(min(state.batchCount, 1 << 30) * 2, max(state.configuration.batchCount, 1))
    }
  }

  /// Finds the event that a server can't take by sending fewer at a time, and drops it. A server that takes none is left in
  /// peace for a while, as after a failure.
  private func refuse(_ batch: EventBatch, _ error: OstiaryError, _ turn: UInt64) {
    let isWord = state.withLock { state in
      guard state.goesOn(with: turn) else { return false }
      if batch.items.count > 1 { state.batchCount = max(batch.items.count / 2, 1) }
      return batch.items.count <= 1
    }
    guard isWord else { return }
    let ids = batch.ids
    queue.update(keeping: most) { $0.remove(ids, wereLost: true) }
    let refusals = state.withLock { state in
      state.refusals += 1
      state.lastError = error
      return state.refusals
    }
    logger.warning("\(error)")
    if refusals > 3 { fail(error, turn) }
  }

  private func fail(_ error: OstiaryError, _ turn: UInt64) {
    let (waiters, failures) = state.withLock { state -> ([Waiter], Int) in
      guard state.goesOn(with: turn) else { return ([], 0) }
      state.failures += 1
      state.lastError = error
      state.hasWaited = false
      state.backOff = state.configuration.retry.delay(afterFailures: state.failures, asked: error.retryAfter)
      defer { state.waiters = [] }
      return (state.waiters, state.failures)
    }
    if failures == 1 { logger.warning("\(error)") }
    for waiter in waiters { waiter.work.finish(.failure(error)) }
  }
}

extension EventTracker.State {
  /// Whether an answer to what was sent in a turn is a word about what is sent now. If not, it is sent again at once.
  fileprivate mutating func goesOn(with turn: UInt64) -> Bool {
    if turn == self.turn { return true }
    hasWaited = true
    return false
  }

  /// Takes the callers out whose events have all left the queue.
  /// - Returns: them.
  fileprivate mutating func takeDone(_ queue: EventQueue) -> [EventTracker.Waiter] {
    guard !waiters.isEmpty else { return [] }
    let pending = queue.ids
    defer { waiters.removeAll { $0.events.isDisjoint(with: pending) } }
    return waiters.filter { $0.events.isDisjoint(with: pending) }
  }
}
