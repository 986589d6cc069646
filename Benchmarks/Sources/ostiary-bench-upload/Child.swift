import Foundation
import OstiaryCore
import OstiaryTesting

/// A program that runs beside this one, and ends with it.
struct Child {
  private let process: ChildProcess

  /// Starts a program that is found as a shell would.
  init(_ arguments: [String]) throws {
    guard let name = arguments.first,
      let program = ChildProcess.find(name) ?? (name.contains("/") ? URL(filePath: name) : nil)
    else { throw BenchmarkError(message: "\(arguments.first ?? "The program") is not installed.") }
    process = try ChildProcess(
      program, Array(arguments.dropFirst()), input: .pipe, output: .pipe, error: .descriptor(STDERR_FILENO))
  }

  /// What the program has written so far, once it has written something.
  func read() -> String { String(decoding: process.output?.availableData ?? Data(), as: UTF8.self) }

  /// Tells the program to end, by the end of its input, and waits until it has.
  /// - Returns: how it ended, 0 for well.
  func end() throws -> Int32 {
    try process.input?.close()
    let status = Locked<Int32>(-1)
    let ended = DispatchSemaphore(value: 0)
    Task { [process] in
      let value = await process.status()
      status.withLock { $0 = value }
      ended.signal()
    }
    ended.wait()
    return status.withLock { $0 }
  }
}
