internal import Dispatch
internal import Foundation
internal import OstiaryCore

/// The terminal that the process was started from, whatever its standard input and output are connected to.
struct ControllingTerminal: Terminal {
  private static let path = "/dev/tty"

  var isAvailable: Bool {
    let descriptor = open(Self.path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  func askSecret(_ prompt: Line) async throws -> Secret {
    let text = prompt.plain
    return try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it gets a thread of its own.
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.readSecret(text) })
      }
    }
  }

  private static func readSecret(_ prompt: String) throws -> Secret {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw OstiaryError(.interactionRequired, "There is no terminal to ask on.", requestMayHaveExecuted: false)
    }
    defer { close(descriptor) }
    let silence = SilentTerminal(descriptor, prompt: prompt)
    // Echo comes back on every way out: a line, the end of input, an error, a signal.
    defer { silence?.end() }
    send(prompt, to: descriptor)
    return Secret(try readLine(from: descriptor))
  }

  private static func readLine(from descriptor: Int32) throws -> String {
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw OstiaryError(.interactionCancelled, "Nothing was entered.", requestMayHaveExecuted: false)
      }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw OstiaryError(.invalidInput, "What was entered is not UTF-8.", requestMayHaveExecuted: false)
    }
    return text
  }

  fileprivate static func send(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// A terminal that does not show what is typed, until ``end()``, also when a signal ends or stops the process.
private final class SilentTerminal {
  private let descriptor: Int32
  private let sources: [any DispatchSourceSignal]
  private let restore: @Sendable () -> Void

  init?(_ descriptor: Int32, prompt: String) {
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
    // Sources begin to listen a moment after they are made, and what comes before is lost: no prompt until all do.
    let ready = DispatchGroup()
    let lethal = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
      Self.source(number, queue, ready) {
        restore()
        ControllingTerminal.send("\n", to: descriptor)
        // Dies of the signal, as the shell and its scripts expect, now with the terminal in order.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    let suspension = Self.source(SIGTSTP, queue, ready) {
      restore()
      kill(getpid(), SIGSTOP)
      var settings = during
      tcsetattr(descriptor, TCSAFLUSH, &settings)
      ControllingTerminal.send("\n\(prompt)", to: descriptor)
    }
    sources = lethal + [suspension]
    _ = ready.wait(timeout: .now() + 5)
    tcsetattr(descriptor, TCSAFLUSH, &silent)
  }

  /// Shows what is typed again.
  func end() {
    restore()
    // The Return that ended the line was not shown either.
    ControllingTerminal.send("\n", to: descriptor)
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { signal(number, SIG_DFL) }
  }

  private static func source(
    _ number: Int32, _ queue: DispatchQueue, _ ready: DispatchGroup, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    ready.enter()
    source.setRegistrationHandler { ready.leave() }
    source.resume()
    return source
  }
}
