#if PostgreSQL
  import Foundation
  package import OstiaryCore
  import OstiaryTesting

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A PostgreSQL server of a test's own: a new cluster in a temporary folder, on a free port, gone with the value.
  package final class PostgreSQLServer: Sendable {
    /// A program failed.
    package struct Failed: Error, CustomStringConvertible {
      package let description: String
    }

    /// Of the user `ostiary`, over TCP.
    package static let password = "s3cret-pässword"

    package let port: Int
    /// Where its data and its socket are.
    package let folder: String
    private let bin: String

    /// Where `initdb` is; `nil` when PostgreSQL is not installed.
    package static let programs: String? = {
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      let debian = versions.sorted { ($0 as NSString).intValue > ($1 as NSString).intValue }
        .map { "/usr/lib/postgresql/\($0)/bin" }
      return ChildProcess.find("initdb", alsoIn: debian)?.deletingLastPathComponent().path
    }()

    /// The cluster that every server of this process starts as a copy of: `initdb` takes seconds, a copy a fraction of one.
    private static let template = Task {
      guard let bin = programs else { throw Failed(description: "PostgreSQL is not installed here.") }
      try makeFolder(templateFolder)
      atexit { try? FileManager.default.removeItem(atPath: PostgreSQLServer.templateFolder) }
      let passwordFile = templateFolder + "/password"
      try password.write(toFile: passwordFile, atomically: true, encoding: .utf8)
      try await run(
        bin + "/initdb",
        [
          "-D", templateFolder + "/data", "-U", "ostiary", "--auth-local=trust", "--auth-host=scram-sha-256",
          "--pwfile=\(passwordFile)", "-E", "UTF8", "--locale=C", "-N",
        ])
      return templateFolder + "/data"
    }

    private static let templateFolder = newFolder()

    /// A new server, running.
    package static func launch() async throws -> PostgreSQLServer {
      let template = try await template.value
      let server = try PostgreSQLServer(programs ?? "")
      try await run("/bin/cp", ["-Rp", template, server.folder + "/data"])
      try await server.start()
      return server
    }

    private init(_ bin: String) throws {
      self.bin = bin
      port = try LoopbackPort.free()
      folder = Self.newFolder()
      try Self.makeFolder(folder)
    }

    /// A name that is free. A socket's path has room for about a hundred bytes.
    private static func newFolder() -> String { "\(place)/ostiary-pg-\(UUID().uuidString.prefix(8))" }

    /// In memory where there is room: a cluster is a thousand files, gone soon after.
    private static let place: String = {
      let memory = "/dev/shm"
      var system = statvfs()
      guard access(memory, W_OK) == 0, statvfs(memory, &system) == 0 else { return "/tmp" }
      return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= 4 << 30 ? memory : "/tmp"
    }()

    private static func makeFolder(_ folder: String) throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      // PostgreSQL refuses to run as root.
      if geteuid() == 0 { try OrdinaryUser.own(folder) }
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

    /// A connection string that leads here.
    package func connection(_ extra: String = "") -> Secret {
      Secret("host=127.0.0.1 port=\(port) user=ostiary password='\(Self.password)' dbname=postgres \(extra)")
    }

    /// Starts it again.
    package func start() async throws {
      let options = "-p \(port) -k \(folder) -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60"
      try await Self.run(
        bin + "/pg_ctl", ["-D", folder + "/data", "-l", folder + "/log", "-w", "-t", "240", "-o", options, "start"])
    }

    /// Stops it.
    package func stop() async throws {
      try await Self.run(bin + "/pg_ctl", ["-D", folder + "/data", "-m", "fast", "-w", "-t", "240", "stop"])
    }

    /// Runs a statement as an administrator and returns what it answers, a line a row.
    @discardableResult
    package func sql(_ statement: String) async throws -> String {
      try await Self.output(
        of: bin + "/psql", ["-h", folder, "-p", "\(port)", "-U", "ostiary", "-d", "postgres", "-Atqc", statement]
      ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The statements that the server has logged, each with its first line; several in one message are one. Whether a
    /// connection still answers is asked for now and then, which does not count.
    package func statements() throws -> [Substring] {
      try log().split(separator: "\n").filter {
        ($0.contains("LOG:  statement:") || $0.contains("LOG:  execute ")) && !$0.hasSuffix("statement: SELECT 1")
      }
    }

    /// What the server has logged so far.
    package func log() throws -> String { try String(contentsOfFile: folder + "/log", encoding: .utf8) }

    /// Runs a program as a user who is not root.
    private static func run(_ path: String, _ arguments: [String]) async throws {
      guard geteuid() == 0 else {
        _ = try await output(of: path, arguments)
        return
      }
      let user = ["--reuid=\(OrdinaryUser.id)", "--regid=\(OrdinaryUser.id)", "--clear-groups"]
      _ = try await output(of: "/usr/bin/env", ["setpriv"] + user + [path] + arguments)
    }

    private static func output(of path: String, _ arguments: [String]) async throws -> String {
      let result = try await ChildProcess.run(URL(filePath: path), arguments, input: "")
      guard result.status == 0 else {
        throw Failed(
          description: "\(path) \(arguments) ended with \(result.status): \(result.output)\(result.error)")
      }
      return result.output
    }
  }
#endif
