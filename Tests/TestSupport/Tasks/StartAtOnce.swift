/// Starts a task that has run as far as it can by itself when this returns.
package func startAtOnce<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) -> Task<Value, any Error> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return Task.immediate { try await work() }
  }
  return Task { try await work() }
}
