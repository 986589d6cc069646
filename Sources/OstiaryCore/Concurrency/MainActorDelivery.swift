internal import Dispatch

/// Hands outcomes to the app's code on the main actor.
package enum MainActorDelivery {
  /// Calls the app's code soon, in a task of its own; the caller does not wait.
  @discardableResult
  package static func deliver(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    Task { @MainActor in await body() }
  }

  /// Calls the app's code soon, in the order of these calls, at any priority of the calling tasks; the caller does not
  /// wait.
  package static func post(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }
}
