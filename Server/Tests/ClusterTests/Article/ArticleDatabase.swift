import Foundation
import OstiaryCore
import OstiaryTesting

/// The PostgreSQL of the article, much as a package leaves it: it listens at its socket alone, has no certificate, and only its owner may
/// connect.
final class ArticleDatabase: Sendable {
  /// The folder of its machine.
  let folder: String
  private let programs: URL
  private let guardian: Guardian
  private let process = Locked<ClusterProcess?>(nil)

  /// Makes one and starts it.
  /// - Parameter folder: the folder of its machine, which must not exist.
  init(folder: String, port: Int, guardian: Guardian) async throws {
    guard let programs = ClusterDatabase.programs else {
      throw ClusterDatabase.Failed(description: ClusterDatabase.absence)
    }
    (self.folder, self.programs, self.guardian) = (folder, programs, guardian)
    for path in [folder, "\(folder)/home"] {
      try ClusterDatabase.makeFolder(URL(filePath: path, directoryHint: .isDirectory))
    }
    let script = """
      "$1/initdb" -D "$2/data" -U postgres --auth=trust -E UTF8 --locale=C -N >"$2/initdb.log" 2>&1
      echo 'local all all trust' >"$2/data/pg_hba.conf"
      printf '%s\\n' "unix_socket_directories = '$2'" "port = $3" "listen_addresses = ''" 'fsync = off' \\
        >>"$2/data/postgresql.conf"
      """
    let (program, arguments) = ClusterDatabase.asOwner(
      URL(filePath: "/bin/bash"), ["-euc", script, "bash", programs.path(percentEncoded: false), folder, "\(port)"])
    let result = try await ChildProcess.run(program, arguments, directory: URL(filePath: folder))
    guard result.status == 0 else {
      throw ClusterDatabase.Failed(description: "PostgreSQL was not made: \(result.error)")
    }
    try await start()
  }

  /// Does what `systemctl restart postgresql` does.
  func restart() async throws {
    await end(SIGINT)
    try await start()
  }

  func end(_ signal: Int32 = SIGQUIT) async {
    let running = process.withLock { process in
      defer { process = nil }
      return process
    }
    await running?.end(signal)
  }

  private func start() async throws {
    let (program, arguments) = ClusterDatabase.asOwner(
      programs.appending(path: "postgres"), ["-D", "\(folder)/data"])
    let started = try await ClusterProcess(
      program, arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], readsErrors: true,
      log: URL(filePath: folder).deletingLastPathComponent().appending(path: "postgresql.log"), guardian: guardian,
      until: "database system is ready to accept connections")
    process.withLock { $0 = started }
  }
}
