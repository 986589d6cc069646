internal import Dispatch
internal import Foundation

/// A terminal that does not show typed text until ``end()``, also if a signal ends or stops the process.
final class SilentTerminal {
  private let descriptor: Int32
  private let sources: [any DispatchSourceSignal]
  private let restore: @Sendable () -> Void

  /// - Parameter lastWords: shown when a signal ends the process.
  init?(_ descriptor: Int32, prompt: String, lastWords: String = "") {
    var usual = termios()
    guard tcgetattr(descriptor, &usual) == 0 else { return nil }
    var silent = usual
    silent.c_lflag &= ~tcflag_t(ECHO)
    let (before, during) = (usual, silent)
    self.descriptor = descriptor
    let restore: @Sendable () -> Void = {
      var settings = before
      tcsetattr(descriptor, TCSAFLUSH, &settings)
    }
    self.restore = restore

    let queue = DispatchQueue(label: "ostiary.terminal")
    // Sources begin to listen a moment after they are made: the prompt waits until all do.
    let ready = DispatchGroup()
    let lethal = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
      Self.source(number, queue, ready) {
        restore()
        Self.send("\n" + lastWords, to: descriptor)
        // The process ends by the signal, as the shell and its scripts expect, after the terminal was restored.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    let suspension = Self.source(SIGTSTP, queue, ready) {
      restore()
      // Nothing may follow: this thread can run on for a moment before the process stops, and would then change the terminal
      // that the shell has taken back.
      kill(getpid(), SIGSTOP)
    }
    // A shell gives the terminal to this process before it continues it. A process that is continued in the background is
    // stopped by its next read, and gets this signal again in the foreground.
    let continuation = Self.source(SIGCONT, queue, ready) {
      guard tcgetpgrp(descriptor) == getpgrp() else { return }
      var settings = during
      tcsetattr(descriptor, TCSAFLUSH, &settings)
      Self.send("\n\(prompt)", to: descriptor)
    }
    sources = lethal + [suspension, continuation]
    _ = ready.wait(timeout: .now() + 5)
    tcsetattr(descriptor, TCSAFLUSH, &silent)
  }

  /// Shows typed text again.
  func end() {
    restore()
    // The Return that ended the line was not shown either.
    Self.send("\n", to: descriptor)
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] { CaughtSignal.release(number) }
  }

  private static func source(
    _ number: Int32, _ queue: DispatchQueue, _ ready: DispatchGroup, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    CaughtSignal.prepare(number)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    ready.enter()
    source.setRegistrationHandler { ready.leave() }
    source.resume()
    return source
  }

  /// Shows text on a terminal.
  static func send(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
