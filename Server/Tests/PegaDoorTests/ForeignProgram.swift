import Foundation
import OstiaryTesting

/// A program that others wrote.
struct ForeignProgram {
  let url: URL

  /// The program of that name on the search path.
  init?(_ name: String) {
    guard let found = ChildProcess.find(name) else { return nil }
    url = found
  }

  /// Runs it and returns what it printed, which ends with the error if there was one. It is ended when the calling task
  /// is cancelled.
  func run(_ arguments: [String]) async throws -> String {
    let result = try await ChildProcess.run(url, arguments)
    return result.output + result.error
  }
}
