import Foundation
import OstiaryTesting

/// A real nginx with a configuration of a test's, on a port of its own, as one process.
final class NginxServer: Sendable {
  /// The program; nil where it isn't installed.
  static let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  static let absence = "nginx is not installed (Debian: nginx-light)."

  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: URL
  private let process: ChildProcess

  /// Starts it, and returns when it answers on `port`.
  /// - Parameter configuration: A whole configuration file.
  init(_ configuration: String, port: Int) async throws {
    guard let program = Self.program else { throw Unavailable(description: Self.absence) }
    folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-nginx-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.path(percentEncoded: false)
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(path)/\($0);" }.joined(separator: " ")
    try configuration.replacing("http {", with: "http {\n  access_log off; \(scratch)")
      .write(to: folder.appending(path: "nginx.conf"), atomically: false, encoding: .utf8)
    process = try ChildProcess(
      URL(filePath: program),
      [
        "-e", path + "/error.log", "-c", path + "/nginx.conf", "-g",
        "daemon off; master_process off; pid \(path)/pid; error_log \(path)/error.log;",
      ])
    let deadline = ContinuousClock.now + .seconds(120)
    while !LoopbackPort.isListening(port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        let told = (try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)) ?? ""
        stop()
        throw Unavailable(description: "nginx did not start: \(told)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { stop() }

  /// Ends it, and does not wait: the threads that tests share must not be held up. It is one process.
  func stop() {
    process.kill()
    try? FileManager.default.removeItem(at: folder)
  }
}
