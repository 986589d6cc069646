/// Lets others run until something has come true, or two minutes have passed.
@MainActor
func waitUntil(_ condition: () -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(120)
  while !condition() {
    guard ContinuousClock.now < end else { throw NeverCameTrue() }
    await Task.yield()
  }
}

/// What was waited for did not happen.
struct NeverCameTrue: Error {}
