/// A place in a test double where a test may hold the task that passes: the argument names the place.
///
/// Pass ``SeededScheduler/checkpoint(_:)``, or a function of your own.
public typealias Checkpoint = @Sendable (String) async -> Void
