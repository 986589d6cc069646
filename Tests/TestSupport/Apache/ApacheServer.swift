package import Foundation
package import OstiaryCore
import OstiaryTesting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Apache httpd, as a distribution ships it, on a free port and with a configuration of its own: a server with logins that
/// we didn't write. ``run(_:)`` starts it and ends it.
///
/// Below ``url`` there are, each with a ``secret(_:)`` behind it:
///
/// | Path | What a client without a session gets | The form goes to |
/// |---|---|---|
/// | `/redirect/` | a 302 to `/login.html` | `/dologin`, which answers 302 either way |
/// | `/unauthorized/` | a 401 with the form | `/dologin-unauthorized`, which answers 302, or 401 with the form |
/// | `/inline/` | a 200 with the form | the page itself, which answers with what was asked for, or the form again |
/// | `/basic/` | a 401, Basic, realm `Apache "Basic"` | |
/// | `/digest/` | a 401, Digest with MD5 and `qop=auth`, realm `ours`; its `domain` names `/digest` | |
/// | `/once/` | the same, with nonces that are good once | |
/// | `/open/` | what is there | |
///
/// `/logout` ends the session of `/redirect/`. The fields are `httpd_username` and `httpd_password`.
package final class ApacheServer: Sendable {
  /// Who can sign in.
  package static let user = "jane"
  /// With what.
  package static let password: Secret = "correct horse"
  /// A user whose name and password are not ASCII, known to `/digest/` and `/once/`.
  package static let other = (user: "Jäsøn", password: "pä:ss" as Secret)
  /// What the kinds of protection by a form are called in paths.
  package static let formVariants = ["redirect", "unauthorized", "inline"]

  /// What starts it, or why it can't be started here.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where it is.
  package let url: URL
  private let folder: URL
  private let process: ChildProcess

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

  /// The address of what is protected in one way: `redirect`, `unauthorized`, `inline`, `basic`, `digest`, `once`; or not,
  /// `open`.
  package func url(of variant: String, _ query: String = "") -> URL {
    URL(string: "\(variant)/secret.json\(query)", relativeTo: url)?.absoluteURL ?? url
  }

  /// Runs a server while `body` does.
  package static func run(_ body: (ApacheServer) async throws -> Void) async throws {
    let server = try await ApacheServer()
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Starts it, and returns when it answers.
  /// - Throws: ``Unavailable``, with what httpd has written.
  private init() async throws {
    guard let installation = Self.installation else { throw Unavailable(description: Self.absence) }
    let port = try LoopbackPort.free()
    url = URL(string: "http://127.0.0.1:\(port)/") ?? URL(filePath: "/")
    // A lock file's path must be short, and readable for the user that the workers run as.
    folder = URL(filePath: "/tmp/ostiary-httpd-\(UUID().uuidString.prefix(8))")
    try ApacheSite(folder: folder, port: port, modules: installation.modules).write()
    let output = folder.appending(path: "output")
    process = try ChildProcess(
      URL(filePath: installation.program),
      ["-f", folder.appending(path: "httpd.conf").path(percentEncoded: false), "-DFOREGROUND"],
      output: .file(output), error: .file(output))
    let deadline = ContinuousClock.now + .seconds(120)
    while !LoopbackPort.isListening(port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        let told = ["output", "error.log"].compactMap {
          try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        await stop()
        throw Unavailable(description: "Apache did not start: \(told.joined())")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit {
    process.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends it and waits until it has.
  private func stop() async {
    process.terminate()
    _ = await process.status()
  }

  // MARK: While it runs

  /// Gives Jane another password for forms and Basic: every session of a form is over, since httpd keeps the password in
  /// it.
  package func changePassword(to password: Secret) throws {
    // In one step: a worker that reads half a file would refuse every user.
    let next = folder.appending(path: "users.next")
    try ApacheSite.users(password: password).write(to: next, atomically: false, encoding: .utf8)
    let names = [next, folder.appending(path: "users")].map { $0.path(percentEncoded: false) }
    guard rename(names[0], names[1]) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// What it was asked, and how it answered, in its own words: `POST /dologin 302`.
  ///
  /// httpd writes a line some time after the answer is on its way, so this waits until there are `count` lines that are
  /// wanted, two minutes at most.
  package func log(of count: Int, where isWanted: (String) -> Bool) async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      let lines = try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        .split(separator: "\n").map(String.init).filter(isWanted)
      if lines.count >= count || ContinuousClock.now > deadline { return lines }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
