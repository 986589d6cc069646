import Foundation
import NetworkTestSupport
import OstiaryCore

/// One server of the cluster: `ostiary serve`, and its own ways to the database.
final class ClusterNode: Sendable {
  let number: Int
  /// A way to each server of PostgreSQL.
  let ways: [Forwarder]
  private let folder: URL
  private let options: [String]
  private let guardian: Guardian
  private let state: Locked<State>

  private struct State {
    var program: URL
    var process: ClusterProcess?
    var port = 0
    var starts = 0
  }

  /// - Parameters:
  ///   - folder: the cluster's, in which it has its own.
  ///   - program: what is started; nil: the command that was built with the tests.
  ///   - options: what all nodes are told.
  init(
    _ number: Int, folder: URL, program: URL?, options: [String], ways: [Forwarder], guardian: Guardian
  ) async throws {
    (self.number, self.folder, self.options) = (number, folder, options)
    (self.ways, self.guardian) = (ways, guardian)
    state = Locked(State(program: try program ?? LineProcess.program("ostiary")))
    try await start()
  }

  /// Where it listens, on this machine.
  var port: Int { state.withLock { $0.port } }
  /// How often it was started.
  var starts: Int { state.withLock { $0.starts } }
  /// Its process; nil when it has none.
  var process: ClusterProcess? { state.withLock { $0.process } }

  /// A node's own folder.
  static func home(_ number: Int, in folder: URL) -> URL {
    folder.appending(path: "node\(number)", directoryHint: .isDirectory)
  }

  private var log: URL { folder.appending(path: "node\(number).log") }

  /// What it has logged.
  var messages: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Starts it, and waits until it serves.
  func start() async throws {
    let program = state.withLock { $0.program }
    let home = Self.home(number, in: folder).path(percentEncoded: false)
    let hosts = ways.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let arguments =
      [
        "serve", "--host", "127.0.0.1", "--port", "0", "--dev", "--json", "--trust-proxy", "127.0.0.1",
        "--data", home, "--database",
        "postgres://ostiary@\(hosts)/postgres?sslmode=disable&gssencmode=disable",
      ] + options
    let process = try await ClusterProcess(
      program, arguments,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "OSTIARY_HOME": home, "HOME": home],
      readsErrors: false, log: log, guardian: guardian, until: "\n}\n")
    let announcement = try JSONDecoder().decode(JSONValue.self, from: Data(process.output.text.utf8))
    guard let port = announcement["port"]?.double else {
      throw ProcessOutput.NotWritten(expected: "port", written: process.output.text)
    }
    state.withLock { state in
      state.process = process
      state.port = Int(port)
      state.starts += 1
    }
  }

  /// Ends it in the middle of its work, and starts another in its place.
  /// - Parameter program: what is started, if it is another.
  func killAndStart(_ program: URL? = nil) async throws {
    await end(SIGKILL)
    if let program { state.withLock { $0.program = program } }
    try await start()
  }

  /// Asks it to end, and starts another in its place, as an upgrade does.
  func restart(_ program: URL? = nil) async throws {
    await end(SIGTERM)
    if let program { state.withLock { $0.program = program } }
    try await start()
  }

  /// Ends it.
  func end(_ signal: Int32) async {
    let running = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    await running?.end(signal)
  }

  func signal(_ number: Int32) { state.withLock { $0.process }?.signal(number) }
}
