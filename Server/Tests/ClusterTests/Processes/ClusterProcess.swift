import Foundation
import OstiaryTesting

/// A process of a cluster. It ends with the value, and, should the tests themselves be killed, with the ``Guardian``.
final class ClusterProcess: Sendable {
  private let process: ChildProcess
  private let guardian: Guardian
  let output: ProcessOutput

  /// Starts a program, and waits until it has written a text.
  /// - Parameters:
  ///   - readsErrors: whether its errors are waited for, and not its output.
  ///   - log: gets what it writes, both.
  init(
    _ program: URL, _ arguments: [String], environment: [String: String], readsErrors: Bool, log: URL,
    guardian: Guardian, patience: Duration = .seconds(240), until text: String
  ) async throws {
    let process = try ChildProcess(
      program, arguments, environment: environment, output: readsErrors ? .file(log) : .pipe,
      error: readsErrors ? .pipe : .file(log))
    guard let handle = readsErrors ? process.error : process.output else { throw POSIXError(.EBADF) }
    self.process = process
    self.guardian = guardian
    guardian.watch(process.identifier)
    let output = ProcessOutput(handle, file: log)
    self.output = output
    let watchdog = Task {
      try await Task.sleep(for: patience)
      process.kill()
      // What it has started may hold its pipe open.
      try await Task.sleep(for: .seconds(5))
      output.giveUp()
    }
    defer { watchdog.cancel() }
    try await output.wait(for: text)
  }

  deinit {
    guardian.forget(process.identifier)
    process.kill()
  }

  var identifier: Int32 { process.identifier }
  var isRunning: Bool { process.isRunning }

  func signal(_ number: Int32) { process.signal(number) }

  /// Sends a signal and waits for the end.
  func end(_ number: Int32 = SIGKILL) async {
    process.signal(number)
    // One that is stopped hears of other signals when it goes on.
    process.signal(SIGCONT)
    _ = await process.status()
    guardian.forget(process.identifier)
  }
}

/// Ends the processes of a cluster when the tests are killed: a shell that reads from the tests, until nothing holds the other end.
final class Guardian: Sendable {
  private let shell: ChildProcess

  init() throws {
    let script = """
      trap '' INT TERM HUP
      while read -r sign id; do
        case $sign in +) ids="$ids $id " ;; -) ids=${ids/ $id /} ;; esac
      done
      for id in $ids; do kill -9 "$id"; done
      """
    shell = try ChildProcess(URL(filePath: "/bin/bash"), ["-c", script], input: .pipe)
  }

  func watch(_ process: Int32) { tell("+ \(process)\n") }

  func forget(_ process: Int32) { tell("- \(process)\n") }

  private func tell(_ text: String) { try? shell.input?.write(contentsOf: Data(text.utf8)) }
}
