#if PostgreSQL
  import Foundation
  import OstiaryCore
  import OstiaryTesting
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A PostgreSQL server of a test's own: a new cluster in a temporary folder, on a free port, gone with the value.
  final class PostgreSQLServer: Sendable {
    static let password = "s3cret-pässword"

    let port: Int
    private let folder: String
    private let bin: String

    /// Where `initdb` is; `nil` when PostgreSQL is not installed.
    static let programs: String? = {
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      let debian = versions.sorted { ($0 as NSString).intValue > ($1 as NSString).intValue }
        .map { "/usr/lib/postgresql/\($0)/bin" }
      return ChildProcess.find("initdb", alsoIn: debian)?.deletingLastPathComponent().path
    }()

    /// A new server, running.
    static func start() async throws -> PostgreSQLServer {
      guard let bin = programs else { try Test.cancel("PostgreSQL is not installed here.") }
      let server = try PostgreSQLServer(bin)
      let passwordFile = server.folder + "/password"
      try password.write(toFile: passwordFile, atomically: true, encoding: .utf8)
      try await server.run(
        "initdb",
        [
          "-D", server.folder + "/data", "-U", "ostiary", "--auth-local=trust", "--auth-host=scram-sha-256",
          "--pwfile=\(passwordFile)", "-E", "UTF8", "--locale=C", "-N",
        ])
      try await server.start()
      return server
    }

    private init(_ bin: String) throws {
      self.bin = bin
      port = try LoopbackPort.free()
      // A socket's path has room for about a hundred bytes.
      folder = "/tmp/ostiary-pg-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      // PostgreSQL refuses to run as root.
      if geteuid() == 0 { try #require(chown(folder, Self.nobody, Self.nobody) == 0) }
    }

    deinit {
      // By the process's number that the server has written into its folder; without a word to those connected.
      let lines = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
      if let pid = lines?.first.flatMap({ pid_t($0) }), pid > 0 {
        kill(pid, SIGQUIT)
        for _ in 0..<2000 where kill(pid, 0) == 0 { usleep(5000) }
      }
      try? FileManager.default.removeItem(atPath: folder)
    }

    private static let nobody: uid_t = 65534

    /// A connection string that leads here.
    func connection(_ extra: String = "") -> Secret {
      Secret("host=127.0.0.1 port=\(port) user=ostiary password='\(Self.password)' dbname=postgres \(extra)")
    }

    func start() async throws {
      let options = "-p \(port) -k \(folder) -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60"
      try await run(
        "pg_ctl", ["-D", folder + "/data", "-l", folder + "/log", "-w", "-t", "60", "-o", options, "start"])
    }

    func stop() async throws {
      try await run("pg_ctl", ["-D", folder + "/data", "-m", "fast", "-w", "-t", "60", "stop"])
    }

    /// Runs a statement as an administrator and returns what it answers, a line a row.
    @discardableResult
    func sql(_ statement: String) async throws -> String {
      try await Command.run(
        URL(filePath: bin + "/psql"),
        ["-h", folder, "-p", "\(port)", "-U", "ostiary", "-d", "postgres", "-Atqc", statement]
      ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The statements that the server has logged, each with its first line; several in one message are one. Whether a
    /// connection still answers is asked for now and then, which does not count.
    func statements() throws -> [Substring] {
      try log().split(separator: "\n").filter {
        ($0.contains("LOG:  statement:") || $0.contains("LOG:  execute ")) && !$0.hasSuffix("statement: SELECT 1")
      }
    }

    /// What the server has logged so far.
    func log() throws -> String { try String(contentsOfFile: folder + "/log", encoding: .utf8) }

    private func run(_ program: String, _ arguments: [String]) async throws {
      let (program, arguments) = asOrdinaryUser(program, arguments)
      try await Command.run(program, arguments)
    }

    /// How to run one of PostgreSQL's programs as somebody who is not root.
    private func asOrdinaryUser(_ program: String, _ arguments: [String]) -> (URL, [String]) {
      let path = bin + "/" + program
      guard geteuid() == 0 else { return (URL(filePath: path), arguments) }
      return (
        URL(filePath: "/usr/bin/env"),
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", path] + arguments
      )
    }
  }
#endif
