import OstiaryCore

/// A check that may hang, such as a call of a database that answers nothing. It is asked again only when it has answered: however
/// often a supervisor asks, one call hangs.
final class PatientCheck: Sendable {
  private let check: Readiness.Check
  private let running = Locked<Task<ReadinessState, Never>?>(nil)

  init(_ check: @escaping Readiness.Check) { self.check = check }

  func state(within time: Duration) async -> ReadinessState {
    let task = running.withLock { running in
      if let running { return running }
      let new = Task { [self] in
        let state = await check()
        self.running.withLock { $0 = nil }
        return state
      }
      running = new
      return new
    }
    let (answers, answer) = AsyncStream<ReadinessState>.makeStream(bufferingPolicy: .bufferingOldest(1))
    Task { answer.yield(await task.value) }
    let timer = Task {
      try await Task.sleep(for: time)
      answer.yield(.failed(cause: "There was no answer within \(time.components.seconds) s."))
    }
    defer {
      timer.cancel()
      answer.finish()
    }
    for await state in answers { return state }
    return .failed(cause: "The check was cancelled.")
  }
}
