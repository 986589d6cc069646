import Foundation
import NetworkTestSupport
import OstiaryCore
import OstiaryTesting

/// An app with Primer's SDK, in a process of its own.
final class AppProcess: Sendable {
  private let process: LineProcess
  private let lines: AsyncStream<Data>
  private let folder: URL

  struct Ended: Error {}

  init(_ server: URL) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-primer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let (lines, continuation) = AsyncStream.makeStream(of: Data.self)
    self.lines = lines
    process = try LineProcess(
      "PrimerTestApp", [server.absoluteString, PrimerServer.token, folder.path(percentEncoded: false)]
    ) { line in
      if let line { continuation.yield(line) } else { continuation.finish() }
    }
  }

  /// Starts it with an Info.plist beside it, which alone tells it of the server; `backend` is the address of the app's own backend.
  init(information: [String: Any], backend: URL) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-primer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = folder.appending(path: "PrimerTestApp")
    try await ChildProcess.copyProgram(try LineProcess.program("PrimerTestApp"), to: program)
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: folder.appending(path: "Info.plist"))
    let (lines, continuation) = AsyncStream.makeStream(of: Data.self)
    self.lines = lines
    process = try LineProcess(
      "PrimerTestApp", ["-", backend.absoluteString, folder.path(percentEncoded: false)], at: program
    ) { line in
      if let line { continuation.yield(line) } else { continuation.finish() }
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Lets a person use the app, and says what they see then.
  @discardableResult
  func act(_ words: String...) async throws -> JSONValue {
    process.write(try JSONEncoder().encode(words))
    for await line in lines {
      if let report = JSONValue(json: line) { return report }
    }
    throw Ended()
  }

  /// Ends it.
  func kill() async { await process.kill() }

  /// Everything that it has kept, once it has ended.
  func files() throws -> [Data] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).compactMap {
      FileManager.default.contents(atPath: folder.path + "/" + $0)
    }
  }
}
