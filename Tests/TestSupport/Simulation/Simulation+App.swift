import OstiaryCore

extension Simulation {
  private struct App: @unchecked Sendable {
    // Used by the thread of the life alone.
    let act: () -> Void
    let isDone: () -> Void
  }

  /// Begins an app that does a number of things. Several may follow each other before anything else happens, as lines of one
  /// function do.
  package func startApp(of actions: Int, act: @escaping () -> Void, isDone: @escaping () -> Void) {
    CapturedCall(.success(App(act: act, isDone: isDone))).start { [self] app in
      for _ in 0..<actions {
        app.act()
        if chance(0.6) { await checkpoint("app") }
      }
      app.isDone()
    } completion: { _ in
    }
  }
}
