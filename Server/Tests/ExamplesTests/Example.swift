import Foundation

/// What an example printed and how it ended.
struct Example {
  let status: Int32
  let output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs an example that was built beside the tests. It is ended when the calling task is cancelled.
  ///
  /// Input and output are files: nothing here blocks a thread that the server in this process needs.
  /// - Parameter state: where it keeps its sessions, if it keeps any.
  static func run(
    _ name: String, _ arguments: [String], input: String, state: URL? = nil
  ) async throws -> Example {
    let files = FileManager.default.temporaryDirectory.appending(path: "ostiary-example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let (inlet, outlet) = (files.appending(path: "input"), files.appending(path: "output"))
    try Data((input + "\n").utf8).write(to: inlet)
    try Data().write(to: outlet)
    let process = Process()
    process.executableURL = folder.appending(path: name)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: inlet)
    process.standardOutput = try FileHandle(forWritingTo: outlet)
    process.standardError = FileHandle.nullDevice
    if let state {
      process.environment = ProcessInfo.processInfo.environment
        .merging(["XDG_STATE_HOME": state.path(percentEncoded: false)]) { $1 }
    }
    let status = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
    } onCancel: {
      process.terminate()
    }
    return Example(status: status, output: String(decoding: try Data(contentsOf: outlet), as: UTF8.self))
  }

  /// Where products are built.
  private static var folder: URL {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return tests.bundleURL.pathExtension == "xctest" ? tests.bundleURL.deletingLastPathComponent() : tests.bundleURL
  }
}
