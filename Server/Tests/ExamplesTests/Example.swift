import Foundation

/// What an example printed and how it ended.
struct Example {
  let status: Int32
  let output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs an example that was built beside the tests. It is ended when the calling task is cancelled.
  static func run(_ name: String, _ arguments: [String], input: String) async throws -> Example {
    let process = Process()
    process.executableURL = folder.appending(path: name)
    process.arguments = arguments
    let (inlet, outlet) = (Pipe(), Pipe())
    process.standardInput = inlet
    process.standardOutput = outlet
    process.standardError = FileHandle.nullDevice
    return try await withTaskCancellationHandler {
      try process.run()
      try inlet.fileHandleForWriting.write(contentsOf: Data((input + "\n").utf8))
      try inlet.fileHandleForWriting.close()
      let output = await withCheckedContinuation { continuation in
        // Reading blocks until the process ends, so it happens on a thread that may be blocked.
        Thread.detachNewThread { continuation.resume(returning: outlet.fileHandleForReading.readDataToEndOfFile()) }
      }
      process.waitUntilExit()
      return Example(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    } onCancel: {
      process.terminate()
    }
  }

  /// Where products are built.
  private static var folder: URL {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return tests.bundleURL.pathExtension == "xctest" ? tests.bundleURL.deletingLastPathComponent() : tests.bundleURL
  }
}
