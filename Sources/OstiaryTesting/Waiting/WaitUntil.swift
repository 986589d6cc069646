/// Waits for a condition that nothing announces, such as what another process or thread does: looks again and again, with pauses that grow
/// to twenty milliseconds.
///
/// What can be announced is better waited for where it happens, as ``Gate`` and ``EventRecorder`` do. A wait that only ends by what it
/// waits for would hold up all tests when that does not come; this one fails its test.
/// - Parameters:
///   - awaited: What is waited for. The error names it, and the line.
///   - limit: For how long to look, in real time.
///   - fileID: Where this is called.
///   - line: Where this is called.
///   - isolation: Where to look: in the caller's isolation.
///   - condition: Whether it has come.
/// - Throws: ``WaitTimedOut`` when it has not come within `limit`; `CancellationError` when the task is cancelled, as it is when the test's time
///   limit is over; what `condition` throws.
public func waitUntil(
  _ awaited: String = "what a test looks for", within limit: Duration = .seconds(120), fileID: String = #fileID,
  line: Int = #line, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let begin = ContinuousClock.now
  var pause = Duration.milliseconds(1)
  while try await !condition() {
    let passed = begin.duration(to: .now)
    guard passed < limit else { throw WaitTimedOut(awaited: "\(awaited) (\(fileID):\(line))", limit: limit) }
    if passed < .milliseconds(1) {
      // What another task of this process is about to do.
      try Task.checkCancellation()
      await Task.yield()
    } else {
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(20))
    }
  }
}
