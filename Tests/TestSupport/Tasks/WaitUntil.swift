/// Waits for a condition that nothing announces, in the caller's isolation, while others run.
/// - Throws: ``NeverCameTrue`` after two minutes.
package func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(120)
  while !condition() {
    guard ContinuousClock.now < end else { throw NeverCameTrue() }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// What was waited for did not happen.
package struct NeverCameTrue: Error {}
