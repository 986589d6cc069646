import Foundation
import OstiaryTesting

/// What an example printed and how it ended.
struct Example {
  let status: Int32
  let output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs an example that was built beside the tests. It is ended when the calling task is cancelled.
  /// - Parameters:
  ///   - state: where it keeps its sessions, if it keeps any.
  ///   - environment: variables besides those of the tests.
  static func run(
    _ name: String, _ arguments: [String], input: String, state: URL? = nil, environment: [String: String] = [:]
  ) async throws -> Example {
    var variables = environment
    if let state { variables["XDG_STATE_HOME"] = state.path(percentEncoded: false) }
    let result = try await ChildProcess.run(
      folder.appending(path: name), arguments,
      environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, input: input + "\n")
    return Example(status: result.status, output: result.output)
  }

  /// Where products are built.
  static var folder: URL {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return tests.bundleURL.pathExtension == "xctest" ? tests.bundleURL.deletingLastPathComponent() : tests.bundleURL
  }
}
