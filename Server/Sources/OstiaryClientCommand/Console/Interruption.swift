internal import Dispatch
internal import Foundation
internal import OstiaryCore

/// Lets a command end in order when a signal asks for it. The first such signal is told; the next one ends the process at once.
final class Interruption {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]
  private let first = Locked<Int32?>(nil)

  /// Begins to listen. Returns when every signal is heard.
  init(_ action: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "ostiary.interruption")
    let ready = DispatchGroup()
    sources = Self.numbers.map { [first] number in
      CaughtSignal.prepare(number)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        let isFirst = first.withLock { known in
          defer { known = known ?? number }
          return known == nil
        }
        guard isFirst else {
          signal(number, SIG_DFL)
          kill(getpid(), number)
          return
        }
        action()
      }
      ready.enter()
      source.setRegistrationHandler { ready.leave() }
      source.resume()
      return source
    }
    _ = ready.wait(timeout: .now() + 5)
  }

  /// The signal that came, if one did.
  var caught: Int32? { first.withLock { $0 } }

  /// Gives the signals their usual meaning back.
  func release() {
    for source in sources { source.cancel() }
    for number in Self.numbers { CaughtSignal.release(number) }
  }

  /// Ends the process by a signal, as the shell and its scripts expect of a program that was interrupted.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
