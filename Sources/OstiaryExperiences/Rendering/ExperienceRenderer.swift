/// Draws an experience and brings what the user does to its runner, until it is over.
///
/// It must present the runner if it is not presented yet, draw what ``ExperienceRunner/snapshots()`` say and return the
/// outcome. It must never show the value of a secure field, nor act while the screen is covered.
///
/// Write one to draw with your own views. Where requests come one at a time, as on a server, there is nothing to run: draw
/// ``ExperienceRunner/settled()`` and hand what comes back to ``ExperienceRunner/submit(_:)``, as ``ExperiencePage`` does.
public protocol ExperienceRenderer: Sendable {
  /// Runs the experience to its end.
  /// - Throws: `CancellationError` when the task is cancelled, and any error that keeps it from drawing.
  func run(_ runner: ExperienceRunner) async throws -> ExperienceOutcome
}
