internal import OstiaryCore

/// A notice that the app is being told. What follows waits until the app's function has returned, or until that function
/// uses a runner: it may wait for what follows.
final class NoticeInProgress: Sendable {
  /// The notice that this task, or one that it was made by, delivers.
  @TaskLocal private static var current: NoticeInProgress?

  private let told = SharedWork<Void>()

  func waitUntilTold() async { _ = await told.outcome }

  /// Calls the app's function.
  func deliver(_ call: () async -> Void) async {
    await Self.$current.withValue(self) { await call() }
    told.finish(.success(()))
  }

  /// A runner is being used: what follows the notice that does so does not wait for it any longer.
  static func release() { current?.told.finish(.success(())) }
}
