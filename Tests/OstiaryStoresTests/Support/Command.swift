import Foundation
import OstiaryTesting
import Testing

/// A program that is run to its end.
enum Command {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program and returns what it wrote. Variables come besides, or instead of, this process's.
  @discardableResult
  static func run(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) async throws -> String {
    let result = try await ChildProcess.run(
      program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      input: input ?? "")
    guard result.status == 0 else {
      throw Failed(
        description: "\(program.path) \(arguments) ended with \(result.status): \(result.output)\(result.error)")
    }
    return result.output
  }

  /// Where a program is. Without it the test is skipped.
  static func installed(_ name: String) throws -> URL {
    guard let program = ChildProcess.find(name) else { try Test.cancel("\(name) is not installed here.") }
    return program
  }
}
