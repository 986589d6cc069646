import Foundation
import OstiaryTesting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    let deadline = ContinuousClock.now + .seconds(20)
    while !Ports.answers(port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        let told = (try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)) ?? ""
        stop()
        throw Unavailable(description: "nginx did not start: \(told)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { stop() }

  /// Ends it, and waits for nobody: the threads that tests share must not be held up. It is one process.
  func stop() {
    process.kill()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// Ports of this machine.
enum Ports {
  /// One that is free, below those that the system gives to other tests' connections.
  static func free() -> Int? {
    (0..<200).lazy.map { _ in Int.random(in: 15_000..<30_000) }.first { port in
      withSocket(port) { descriptor, address, size in bind(descriptor, address, size) == 0 }
    }
  }

  /// Whether somebody listens there.
  static func answers(_ port: Int) -> Bool {
    withSocket(port) { descriptor, address, size in connect(descriptor, address, size) == 0 }
  }

  private static func withSocket(
    _ port: Int, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
