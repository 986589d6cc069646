import Foundation
import OstiaryCore
import OstiaryTesting
import PythonTestSupport

@testable import OstiaryServer

/// A real mail server (aiosmtpd) on a port of its own.
final class PythonMailServer: Sendable {
  static let python = PythonEnvironment(name: "python-mail-server", packages: ["aiosmtpd>=1.4.6,<2"])
  static let absence: String = "There is no Python 3 with venv, or its package registry can't be reached."

  struct Unavailable: Error {}

  /// One message that it took.
  struct Taken: Decodable {
    let from: String
    let to: [String]
    let content: String
    let user: String?
    let tls: Bool

    var text: String { String(decoding: Data(base64Encoded: content) ?? Data(), as: UTF8.self) }
  }

  let port: Int
  /// What clients have to trust.
  let authority: String
  private let folder: TemporaryFolder
  private let process: ChildProcess

  init(_ mode: String) async throws {
    guard let interpreter = await Self.python.interpreter() else { throw Unavailable() }
    let port = try LoopbackPort.free()
    let folder = TemporaryFolder()
    (self.port, self.folder) = (port, folder)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let made = try DevelopmentAuthority.make(now: Date())
    authority = made.authority
    let files = ["certificate.pem": made.certificate, "key.pem": made.key, "mail.jsonl": "", "log": ""]
    for (name, text) in files {
      try text.write(to: folder.url.appending(path: name), atomically: false, encoding: .utf8)
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/server.py")
    let paths = ["mail.jsonl", "certificate.pem", "key.pem", "log"].map {
      folder.url.appending(path: $0).path(percentEncoded: false)
    }
    process = try ChildProcess(
      interpreter, [script.path(percentEncoded: false), String(port), paths[0], mode, paths[1], paths[2]],
      error: .file(folder.url.appending(path: "log")))
    let deadline = ContinuousClock.now + .seconds(120)
    while !LoopbackPort.isListening(port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        process.kill()
        throw Unavailable()
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { process.kill() }

  /// What it has taken so far.
  var mail: [Taken] {
    get throws {
      try String(contentsOf: folder.url.appending(path: "mail.jsonl"), encoding: .utf8).split(separator: "\n").map {
        try JSONDecoder().decode(Taken.self, from: Data($0.utf8))
      }
    }
  }
}
