internal import OstiaryCore

/// A person who can be asked.
protocol Terminal: Sendable {
  /// Whether there is one.
  var isAvailable: Bool { get }

  /// Asks for a line that is not shown.
  /// - Throws: ``OstiaryError`` `interactionCancelled` at the end of input.
  func askSecret(_ prompt: Line) async throws -> Secret
}
