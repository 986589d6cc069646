internal import Dispatch
internal import Foundation

/// Does something when a signal that ends the process comes, and lets the process end by that signal then, as the shell and its
/// scripts expect.
final class EndingSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  /// Begins to listen. Returns when every signal is heard.
  init(_ action: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "ostiary.ending")
    let ready = DispatchGroup()
    sources = Self.numbers.map { number in
      CaughtSignal.prepare(number)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        action()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      ready.enter()
      source.setRegistrationHandler { ready.leave() }
      source.resume()
      return source
    }
    _ = ready.wait(timeout: .now() + 5)
  }

  /// Gives the signals their usual meaning back.
  func release() {
    for source in sources { source.cancel() }
    for number in Self.numbers { CaughtSignal.release(number) }
  }
}
