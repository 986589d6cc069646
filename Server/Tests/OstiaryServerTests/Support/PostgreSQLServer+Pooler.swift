import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A pooler that lends connections by transaction.
extension PostgreSQLServer {
  static let pooler = ChildProcess.find("pgbouncer", alsoIn: ["/usr/sbin"])

  /// Starts one in front of the server; it ends with that.
  /// - Returns: its address.
  func startPooler() async throws -> String {
    guard let program = Self.pooler else { throw Failed(program: "pgbouncer", output: "It is not installed here.") }
    let pool = folder + "/pool"
    try FileManager.default.createDirectory(atPath: pool, withIntermediateDirectories: false)
    if geteuid() == 0, chown(pool, Self.nobody, Self.nobody) != 0 { throw Failed(program: "chown", output: pool) }
    try Data(
      """
      [databases]
      postgres = host=\(folder) dbname=postgres
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(pool)
      auth_type = trust
      auth_file = \(pool)/users
      pool_mode = transaction
      logfile = \(pool)/log
      pidfile = \(pool)/pid
      """.utf8
    ).write(to: URL(filePath: pool + "/pgbouncer.ini"))
    try Data("\"ostiary\" \"\"\n".utf8).write(to: URL(filePath: pool + "/users"))
    try await run(program, ["-d", pool + "/pgbouncer.ini"])
    let address = "postgres:///postgres?host=\(pool)&port=6432&user=ostiary"
    // It goes to the background before it listens.
    try await waitUntil("the pooler") { (try? PostgreSQLSession(Secret(address))) != nil }
    return address
  }
}
