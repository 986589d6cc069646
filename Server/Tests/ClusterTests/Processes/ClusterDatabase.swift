import Foundation
import OstiaryCore
import OstiaryTesting

/// What the nodes of a cluster share.
protocol ClusterStorage: Sendable {
  /// Its address for a process of this machine that is in nothing's way.
  var address: Secret { get }
  /// New ways to it, one to each server of PostgreSQL.
  func ways() async throws -> [Forwarder]
  /// What it answers to a query, one row a line.
  func answer(_ query: String) async throws -> String
  /// Ends all of its processes.
  func end() async
}

/// A PostgreSQL of the cluster's own, reached by a socket in its folder.
final class ClusterDatabase: ClusterStorage {
  /// A program has failed.
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// The folder of PostgreSQL's programs, which Debian keeps outside of `PATH`; the newest version's.
  static let programs: URL? = {
    // A link to it may stand alone where it is found.
    if let initdb = ChildProcess.find("initdb") {
      return initdb.resolvingSymlinksInPath().deletingLastPathComponent()
    }
    let versions = "/usr/lib/postgresql"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
    let newest = names.compactMap { Int($0) }.max()
    return newest.map { URL(filePath: "\(versions)/\($0)/bin", directoryHint: .isDirectory) }
  }()
  static let absence = "PostgreSQL is not installed."

  /// PostgreSQL refuses to run as root: it is this user then.
  private static let owner = 65_534

  /// Makes a folder that PostgreSQL can write in.
  static func makeFolder(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    guard isRoot, !OwnNetwork.isMapped else { return }
    try FileManager.default.setAttributes(
      [.ownerAccountID: owner, .groupOwnerAccountID: owner], ofItemAtPath: folder.path(percentEncoded: false))
  }

  let folder: URL
  private let programs: URL
  private let guardian: Guardian
  private let isDurable: Bool
  private let process = Locked<ClusterProcess?>(nil)

  /// Makes one and starts it.
  /// - Parameters:
  ///   - folder: which must not exist; every user must be able to reach it.
  ///   - isDurable: whether it waits for the disk. A crash of PostgreSQL loses nothing without that; one of the machine would.
  init(folder: URL, isDurable: Bool, guardian: Guardian) async throws {
    guard let programs = Self.programs else { throw Failed(description: Self.absence) }
    (self.folder, self.programs, self.guardian, self.isDurable) = (folder, programs, guardian, isDurable)
    try Self.makeFolder(folder)
    let (program, arguments) = Self.asOwner(
      programs.appending(path: "initdb"),
      ["-D", "\(path)/data", "-U", "ostiary", "--auth=trust", "-E", "UTF8", "--locale=C", "-N"])
    let result = try await ChildProcess.run(program, arguments)
    guard result.status == 0 else { throw Failed(description: "initdb: \(result.error)") }
    try await start()
  }

  private static var isRoot: Bool { getuid() == 0 }

  /// What runs a program of PostgreSQL as another user than root.
  static func asOwner(_ program: URL, _ arguments: [String]) -> (URL, [String]) {
    guard isRoot else { return (program, arguments) }
    if OwnNetwork.isMapped {
      return (
        URL(filePath: "/usr/bin/unshare"),
        ["--user", "--map-user=\(owner)", "--map-group=\(owner)", program.path(percentEncoded: false)] + arguments
      )
    }
    return (
      URL(filePath: "/usr/bin/setpriv"),
      ["--reuid=\(owner)", "--regid=\(owner)", "--clear-groups", program.path(percentEncoded: false)] + arguments
    )
  }

  private var path: String {
    let path = folder.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  func ways() async throws -> [Forwarder] { [try await Forwarder(to: "\(path)/.s.PGSQL.5432")] }

  func end() async { await stopImmediately() }

  func answer(_ query: String) async throws -> String { try await self.query(query) }

  var address: Secret { Secret("postgres:///postgres?host=\(path)&user=ostiary") }

  /// Starts it, and waits until it takes connections.
  func start() async throws {
    let (program, arguments) = Self.asOwner(
      programs.appending(path: "postgres"),
      [
        "-D", "\(path)/data", "-k", path, "-c", "listen_addresses=", "-c", "max_connections=100",
        "-c", "fsync=\(isDurable ? "on" : "off")",
      ])
    let started = try await ClusterProcess(
      program, arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], readsErrors: true,
      log: folder.deletingLastPathComponent().appending(path: "postgresql.log"), guardian: guardian,
      until: "database system is ready to accept connections")
    process.withLock { $0 = started }
  }

  /// Stops it as `pg_ctl stop -m immediate` does: nothing is finished, as in a crash.
  func stopImmediately() async {
    let running = process.withLock { process in
      defer { process = nil }
      return process
    }
    await running?.end(SIGQUIT)
  }

  /// Ends some backends that servers use, and returns how many.
  func endBackends(_ count: Int) async throws -> Int {
    let text = """
      SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT \(count)) AS backends
      """
    return Int(try await query(text)) ?? 0
  }

  /// Asks it something, and returns the one value.
  func query(_ text: String) async throws -> String {
    let result = try await ChildProcess.run(
      programs.appending(path: "psql"), ["-h", path, "-U", "ostiary", "-d", "postgres", "-XAtqc", text])
    guard result.status == 0 else { throw Failed(description: "psql: \(result.error)") }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
