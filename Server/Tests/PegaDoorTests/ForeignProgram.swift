import Foundation

/// A program that somebody else wrote.
struct ForeignProgram {
  let url: URL

  /// The program of that name on the search path.
  init?(_ name: String) {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let candidates = folders.map { URL(filePath: String($0)).appending(path: name) }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
    guard let found else { return nil }
    url = found
  }

  /// Runs it and returns what it printed, which ends with the error if there was one. It is ended when the calling task
  /// is cancelled.
  ///
  /// The output is a file: nothing here blocks a thread that the server in this process needs.
  func run(_ arguments: [String]) async throws -> String {
    let outlet = FileManager.default.temporaryDirectory.appending(path: "ostiary-output-\(UUID().uuidString)")
    try Data().write(to: outlet)
    defer { try? FileManager.default.removeItem(at: outlet) }
    let output = try FileHandle(forWritingTo: outlet)
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in continuation.resume() }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
    } onCancel: {
      process.terminate()
    }
    return String(decoding: try Data(contentsOf: outlet), as: UTF8.self)
  }
}
