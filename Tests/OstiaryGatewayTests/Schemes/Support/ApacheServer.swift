import Foundation
import OstiaryCore
import OstiaryTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Apache httpd with its own Basic and Digest, as Debian packages it.
///
/// | Path | Protected by |
/// |---|---|
/// | `/digest/` | Digest (MD5), realm `ours`; its `domain` names `/digest` |
/// | `/once/` | the same, with nonces that are good once |
/// | `/basic/` | Basic, realm `Apache "Basic"` |
/// | `/open/` | nothing |
///
/// Users are `ann` with password `apple` and `Jäsøn` with `pä:ss`.
final class ApacheServer: Sendable {
  static let program = "/usr/sbin/apache2"
  static let modules = "/usr/lib/apache2/modules"

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: program)
      && FileManager.default.fileExists(atPath: modules + "/mod_auth_digest.so")
  }

  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  let url: URL
  private let process: Process
  private let folder: URL

  private init(url: URL, process: Process, folder: URL) {
    self.url = url
    self.process = process
    self.folder = folder
  }

  /// Runs a server while `body` does.
  static func run(_ body: (ApacheServer) async throws -> Void) async throws {
    let server = try await start()
    do {
      try await body(server)
      server.stop()
    } catch {
      server.stop()
      throw error
    }
  }

  private static func start() async throws -> ApacheServer {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "ostiary-apache-\(UUID().uuidString)")
    for part in ["digest", "once", "basic", "open"] {
      try files.createDirectory(at: folder.appending(path: "docs/\(part)"), withIntermediateDirectories: true)
      try Data("hello from \(part)\n".utf8).write(to: folder.appending(path: "docs/\(part)/index.txt"))
    }
    // H(username:realm:password), made with OpenSSL; and an apr1 hash.
    let users = """
      ann:ours:6d7c7278fd1db73804ccd696a914f1cf
      Jäsøn:ours:77c52f031bed7d288d008cad033e6189

      """
    try Data(users.utf8).write(to: folder.appending(path: "digest.users"))
    try Data("ann:$apr1$ostiary1$TfZ1UosqCtAEnrqOakx7M1\n".utf8).write(to: folder.appending(path: "basic.users"))
    // A port that was free a moment ago.
    let probe = try LoopbackServer(answering: [])
    let port = probe.port
    probe.stop()
    let configuration = folder.appending(path: "httpd.conf")
    try Data(text(folder.path(percentEncoded: false), port: port).utf8).write(to: configuration)

    let process = Process()
    let messages = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-f", configuration.path(percentEncoded: false), "-DFOREGROUND"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = messages
    try process.run()
    let said: String? = await withCheckedContinuation { continuation in
      // Reads on a thread of its own, also later: a full pipe would stop the server.
      Thread.detachNewThread {
        var text = ""
        var waiting: CheckedContinuation<String?, Never>? = continuation
        while true {
          let data = messages.fileHandleForReading.availableData
          guard !data.isEmpty else { break }
          text += String(decoding: data, as: UTF8.self)
          if text.contains("resuming normal operations") {
            waiting?.resume(returning: nil)
            waiting = nil
          }
        }
        waiting?.resume(returning: text)
      }
    }
    guard said == nil, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      process.terminate()
      try? files.removeItem(at: folder)
      throw NotStarted(description: said ?? "")
    }
    return ApacheServer(url: url, process: process, folder: folder)
  }

  private func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func text(_ folder: String, port: Int) -> String {
    let loads = [
      "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest",
    ].map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so\n" }.joined()
    func digest(_ path: String, _ more: String) -> String {
      """
      <Location \(path)>
      AuthType Digest
      AuthName ours
      AuthDigestProvider file
      AuthUserFile \(folder)/digest.users
      \(more)
      Require valid-user
      </Location>

      """
    }
    return """
      ServerRoot \(folder)
      ServerName localhost
      Listen 127.0.0.1:\(port)
      PidFile \(folder)/pid
      ErrorLog /dev/stderr
      \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
      \(loads)
      DocumentRoot \(folder)/docs
      KeepAlive On
      \(digest("/digest", "AuthDigestDomain /digest"))
      \(digest("/once", "AuthDigestNonceLifetime 0"))
      <Location /basic>
      AuthType Basic
      AuthName "Apache \\"Basic\\""
      AuthBasicProvider file
      AuthUserFile \(folder)/basic.users
      Require valid-user
      </Location>

      """
  }
}
