import Foundation
import OstiaryCore
import OstiaryTesting

@testable import OstiaryServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A PostgreSQL server of a test's own: a new cluster in a temporary folder, reached by a socket there, gone with the value.
final class PostgreSQLServer: Sendable {
  struct Failed: Error {
    let program: String
    let output: String
  }

  static let absence = "PostgreSQL is not installed here."

  /// Where `initdb` is; nil where PostgreSQL is not installed.
  static let programs: URL? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let debian = versions.sorted { ($0 as NSString).intValue > ($1 as NSString).intValue }
      .map { "/usr/lib/postgresql/\($0)/bin" }
    return ChildProcess.find("initdb", alsoIn: debian)?.deletingLastPathComponent()
  }()

  /// Short: a socket's path has room for about a hundred bytes.
  let folder = "\(place)/ostiary-pg-\(UUID().uuidString.prefix(8))"
  private let bin: URL

  /// In memory where there is room. A cluster is a thousand files, and each schema of a test some hundred more, gone soon after: with
  /// those a disk's file system has as much work as PostgreSQL.
  private static let place: String = {
    let memory = "/dev/shm"
    var system = statvfs()
    guard access(memory, W_OK) == 0, statvfs(memory, &system) == 0 else { return "/tmp" }
    return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= 4 << 30 ? memory : "/tmp"
  }()

  /// A new server, running.
  static func start() async throws -> PostgreSQLServer {
    guard let programs else { throw Failed(program: "initdb", output: absence) }
    let server = try PostgreSQLServer(programs)
    let data = server.folder + "/data"
    try await server.run("initdb", ["-D", data, "-U", "ostiary", "--auth=trust", "-E", "UTF8", "--locale=C", "-N"])
    try await server.startAgain()
    return server
  }

  /// Starts it after ``stop()``.
  func startAgain() async throws {
    try await run(
      "pg_ctl",
      [
        "-D", folder + "/data", "-l", folder + "/log", "-w", "-t", "240", "-o",
        "-k \(folder) -c listen_addresses= -c fsync=off", "start",
      ])
  }

  /// Stops it as a crash would, and waits for that.
  func stop() async throws {
    try await run("pg_ctl", ["-D", folder + "/data", "-w", "-t", "240", "-m", "immediate", "stop"])
  }

  /// Keeps what it has stored so far, as an asynchronous standby would that gets no more.
  func save() async throws {
    try await run("pg_ctl", ["-D", folder + "/data", "-w", "-t", "240", "-m", "fast", "stop"])
    let copied = try await ChildProcess.run(
      URL(filePath: "/bin/cp"), ["-a", folder + "/data", folder + "/saved"], input: "")
    guard copied.status == 0 else { throw Failed(program: "cp", output: copied.error) }
    try await startAgain()
  }

  /// Crashes; what ``save()`` has kept takes its place, on the next timeline. Later commits are lost.
  func failOver() async throws {
    try await stop()
    let files = FileManager.default
    try files.removeItem(atPath: folder + "/data")
    try files.moveItem(atPath: folder + "/saved", toPath: folder + "/data")
    try await startOnNewTimeline()
  }

  /// Starts it after ``stop()``, as a standby that takes over: what it writes from now on is on another timeline.
  func startOnNewTimeline() async throws {
    try Data().write(to: URL(filePath: folder + "/data/standby.signal"))
    try await startAgain()
    try await promote()
  }

  /// A standby, which each commit here waits for from now on.
  func follow() async throws -> PostgreSQLServer {
    let standby = try PostgreSQLServer(bin)
    try await standby.run(
      "pg_basebackup",
      ["-h", folder, "-U", "ostiary", "-D", standby.folder + "/data", "-R", "-X", "stream", "-c", "fast"])
    try await standby.startAgain()
    let set = try await execute("ALTER SYSTEM SET synchronous_standby_names = '*'; SELECT pg_reload_conf();")
    guard set.errors.isEmpty else { throw Failed(program: "psql", output: set.errors) }
    try await waitUntil("the standby") {
      try await execute("SELECT sync_state FROM pg_stat_replication;").output == "sync\n"
    }
    return standby
  }

  /// Takes the place of the server that it follows, which goes on and does not know.
  func promote() async throws {
    try await run("pg_ctl", ["-D", folder + "/data", "-w", "-t", "240", "promote"])
  }

  /// Its address.
  var address: String { "postgres:///postgres?host=\(folder)&user=ostiary" }

  /// The address of a database in it, with a folder of the test's.
  func database(_ files: TemporaryFolder) -> PostgreSQLDatabase {
    PostgreSQLDatabase(Secret(address), folder: files.url)
  }

  private init(_ bin: URL) throws {
    self.bin = bin
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // PostgreSQL refuses to run as root.
    if geteuid() == 0, chown(folder, Self.nobody, Self.nobody) != 0 {
      throw Failed(program: "chown", output: folder)
    }
  }

  deinit {
    let pooler = (try? String(contentsOfFile: folder + "/pool/pid", encoding: .utf8)).flatMap { text in
      pid_t(text.filter(\.isNumber))
    }
    if let pooler, pooler > 0 { kill(pooler, SIGTERM) }
    // By the process's number that the server has written into its folder.
    let lines = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
    if let pid = lines?.first.flatMap({ pid_t($0) }), pid > 0 {
      kill(pid, SIGQUIT)
      for _ in 0..<2000 where kill(pid, 0) == 0 { usleep(5000) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  static let nobody: uid_t = 65534

  /// Runs statements one after the other, in a transaction each, and returns what was answered and what went wrong.
  func execute(_ statements: String) async throws -> (output: String, errors: String) {
    let result = try await ChildProcess.run(
      bin.appendingPathComponent("psql"), ["-h", folder, "-U", "ostiary", "-d", "postgres", "-Atqf", "-"],
      input: "SET client_min_messages = warning;\n" + statements)
    return (result.output, result.error)
  }

  /// The database as statements, as `pg_dump` writes them, without what differs each time.
  func dump() async throws -> String {
    let result = try await ChildProcess.run(
      bin.appendingPathComponent("pg_dump"),
      ["-h", folder, "-U", "ostiary", "-d", "postgres", "--inserts", "--no-owner", "--no-privileges"], input: "")
    guard result.status == 0 else { throw Failed(program: "pg_dump", output: result.error) }
    return result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("--") && !$0.hasPrefix("\\") }.joined(separator: "\n")
  }

  /// Runs one of its programs as a user who is not root.
  /// - Parameter isOwn: Whether it is one of PostgreSQL's.
  private func run(_ name: String, _ arguments: [String], isOwn: Bool = true) async throws {
    try await run(isOwn ? bin.appendingPathComponent(name) : URL(filePath: "/usr/bin/\(name)"), arguments)
  }

  func run(_ program: URL, _ arguments: [String]) async throws {
    let result =
      if geteuid() == 0 {
        try await ChildProcess.run(
          URL(filePath: "/usr/bin/env"),
          ["setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups", program.path] + arguments,
          input: "")
      } else {
        try await ChildProcess.run(program, arguments, input: "")
      }
    guard result.status == 0 else {
      throw Failed(program: program.lastPathComponent, output: result.output + result.error)
    }
  }
}
