import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A program that is run to its end.
///
/// Not Foundation's `Process`: on Linux that waits for everything the program has left running, too.
enum Command {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program and returns what it wrote. Blocks a thread of its own, not the caller's.
  @discardableResult
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) async throws -> String {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { try runBlocking(path, arguments, environment, input) })
      }
    }
    return try result.get()
  }

  /// The same, blocking the thread.
  @discardableResult
  static func runBlocking(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:], _ input: String? = nil
  ) throws -> String {
    // Files, not pipes: what the program leaves running would keep a pipe open.
    let files = FileManager.default.temporaryDirectory.appending(path: "ostiary-command-\(UUID().uuidString)").path
    defer { for name in [".in", ".out"] { unlink(files + name) } }
    try (input ?? "").write(toFile: files + ".in", atomically: false, encoding: .utf8)

    let (pid, error) = Spawn.start(path, arguments, environment: environment) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, files + ".in", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, files + ".out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    guard error == 0 else { throw Failed(description: "\(path) could not be started: \(error)") }
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw Failed(description: "\(path) could not be waited for: \(errno)") }
    }
    let text = (try? String(contentsOfFile: files + ".out", encoding: .utf8)) ?? ""
    guard status == 0 else { throw Failed(description: "\(path) \(arguments) ended with \(status): \(text)") }
    return text
  }

  /// Where a program is, if it is installed.
  static func find(_ name: String, alsoIn folders: [String] = []) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (folders + path.split(separator: ":").map(String.init)).map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Where a program is. Without it the test is skipped.
  static func installed(_ name: String) throws -> String {
    guard let path = find(name) else { try Test.cancel("\(name) is not installed here.") }
    return path
  }
}
