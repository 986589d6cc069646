import Foundation
import OstiaryTesting

/// What an example printed and how it ended.
struct Example {
  let status: Int32
  let output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs an example that was built beside the tests. It is ended when the calling task is cancelled.
  /// - Parameter state: where it keeps its sessions, if it keeps any.
  static func run(
    _ name: String, _ arguments: [String], input: String, state: URL? = nil
  ) async throws -> Example {
    let variables = state.map { ["XDG_STATE_HOME": $0.path(percentEncoded: false)] } ?? [:]
    let result = try await ChildProcess.run(
      folder.appending(path: name), arguments,
      environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, input: input + "\n")
    return Example(status: result.status, output: result.output)
  }

  /// Where products are built.
  private static var folder: URL {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return tests.bundleURL.pathExtension == "xctest" ? tests.bundleURL.deletingLastPathComponent() : tests.bundleURL
  }
}
