/// One part of `ostiary demo`: what Ostiary does with one kind of server.
///
/// It must check every step it tells of, through the public API alone; it must never tell of a step that did not happen.
protocol DemoChapter: Sendable {
  /// The heading.
  var title: String { get }

  /// Plays the chapter on a server that is running.
  func tell(_ story: DemoStory, on stage: DemoStage) async throws
}

/// The chapters, in order. A new kind of server adds its own here.
enum DemoChapters {
  static let all: [any DemoChapter] = [PegaDemo(), NewzuluDemo(), SalesforceDemo(), PrimerDemo(), GatewayDemo()]
}
