/// The app's code that an object calls: a handler, a delegate, an observer. It may call the object back.
///
/// A call that waits for the very question that the callback answers would wait for itself. Only a call that is certain to do
/// so is recognised: one that the callback makes synchronously, or awaits in its own task. A call from another task can't be
/// attributed, since its outcome may matter to the callback or not; it waits within the limit of the question.
package enum AppCallback {
  private struct Scope: Sendable {
    let object: ObjectIdentifier
    /// The task that runs the callback.
    let task: Int
  }

  @TaskLocal private static var scopes: [Scope] = []

  /// Runs the app's code on behalf of an object.
  package static func run<Result: Sendable>(
    for object: AnyObject, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let task = currentTask else { return try await body() }
    let scope = Scope(object: ObjectIdentifier(object), task: task)
    return try await $scopes.withValue(scopes + [scope]) { try await body() }
  }

  /// Whether the current call is made by a callback that runs on behalf of the object, synchronously or awaited by it.
  package static func isRunning(for object: AnyObject) -> Bool {
    guard let task = currentTask else { return false }
    return scopes.contains { $0.object == ObjectIdentifier(object) && $0.task == task }
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension OstiaryError {
  /// The error of a call that its own object's callback makes or awaits, and that would wait for this callback.
  package static func calledFromOwnCallback(_ call: String) -> OstiaryError {
    OstiaryError(
      .calledFromOwnCallback, "A callback called \(call), which waits for the outcome of this callback.",
      advice: "Call it after the callback has returned.", disposition: .misuse, requestMayHaveExecuted: false)
  }
}
