package import Foundation
package import OstiaryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Apache httpd, as a distribution ships it, on a free port and with a configuration of its own: a login gateway that we
/// didn't write. It ends with ``stop()``, or with the value.
///
/// Below ``url`` there are, each with a ``secret`` behind it:
///
/// | Path | What somebody without a session gets | The form goes to |
/// |---|---|---|
/// | `/redirect/` | a 302 to `/login.html` | `/dologin`, which answers 302 either way |
/// | `/unauthorized/` | a 401 with the form | `/dologin-unauthorized`, which answers 302, or 401 with the form |
/// | `/inline/` | a 200 with the form | the page itself, which answers with what was asked for, or the form again |
/// | `/basic/` | a 401, Basic | |
/// | `/digest/` | a 401, Digest with MD5 and `qop=auth` | |
///
/// `/logout` ends the session of `/redirect/`. The fields are `httpd_username` and `httpd_password`.
package final class ApacheServer: Sendable {
  /// Who can sign in.
  package static let user = "jane"
  /// With what.
  package static let password: Secret = "correct horse"
  /// What the kinds of protection are called in paths.
  package static let formVariants = ["redirect", "unauthorized", "inline"]

  /// What starts it, or why it can't be started here.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where it is.
  package let url: URL
  private let folder: URL
  private let process: Process
  private let ended: DispatchSemaphore

  /// The program and the folder of its modules; nil where it isn't installed.
  private static let installation: (program: String, modules: String)? = {
    let known = [
      ("/usr/sbin/apache2", "/usr/lib/apache2/modules"), ("/usr/sbin/httpd", "/usr/lib64/httpd/modules"),
      ("/usr/sbin/httpd", "/usr/libexec/apache2"),
    ]
    return known.first {
      FileManager.default.isExecutableFile(atPath: $0.0)
        && FileManager.default.fileExists(atPath: $0.1 + "/mod_auth_form.so")
    }
  }()

  /// Whether Apache is there; tests that need it are skipped with ``absence`` where it isn't.
  package static var isInstalled: Bool { installation != nil }
  /// Why such tests are skipped.
  package static let absence = "Apache httpd with mod_auth_form is not installed (Debian: apache2-bin)."

  /// What is behind a path, as JSON.
  package static func secret(_ variant: String) -> String { "{\"secret\":\"\(variant)\"}" }

  /// The address of what is protected in one way: `redirect`, `unauthorized`, `inline`, `basic` or `digest`.
  package func url(of variant: String) -> URL { url.appending(path: "\(variant)/secret.json") }

  /// Starts it, and returns when it answers.
  /// - Throws: ``Unavailable``, with what httpd has written.
  package init() async throws {
    guard let installation = Self.installation else { throw Unavailable(description: Self.absence) }
    guard let port = (0..<200).lazy.map({ _ in Int.random(in: 15_000..<30_000) }).first(where: Self.isFree),
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw Unavailable(description: "No port is free for Apache.") }
    self.url = url
    // A lock file's path must be short, and readable for whoever the workers run as.
    folder = URL(filePath: "/tmp/ostiary-httpd-\(UUID().uuidString.prefix(8))")
    try ApacheSite(folder: folder, port: port, modules: installation.modules).write()
    process = Process()
    process.executableURL = URL(filePath: installation.program)
    process.arguments = ["-f", folder.appending(path: "httpd.conf").path(percentEncoded: false), "-DFOREGROUND"]
    let output = folder.appending(path: "output")
    _ = FileManager.default.createFile(atPath: output.path(percentEncoded: false), contents: nil)
    let handle = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    let ended = DispatchSemaphore(value: 0)
    self.ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let deadline = ContinuousClock.now + .seconds(30)
    while !Self.answers(port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        let told = ["output", "error.log"].compactMap {
          try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        stop()
        throw Unavailable(description: "Apache did not start: \(told.joined())")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { stop() }

  /// Ends it and waits until it has. Harmless when repeated.
  package func stop() {
    if process.isRunning {
      process.terminate()
      if ended.wait(timeout: .now() + 10) == .timedOut { kill(process.processIdentifier, SIGKILL) }
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Gives Jane another password: every session is over, since httpd keeps the password in it.
  package func changePassword(to password: Secret) throws {
    try ApacheSite.users(password: password).write(
      to: folder.appending(path: "users"), atomically: false, encoding: .utf8)
  }

  // MARK: Ports

  private static func isFree(_ port: Int) -> Bool {
    withSocket(port) { descriptor, address, size in bind(descriptor, address, size) == 0 }
  }

  private static func answers(_ port: Int) -> Bool {
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
