import Foundation
import OstiaryCore
import OstiaryTesting

/// Two servers of PostgreSQL, of which Patroni makes one the primary, as it agrees on by etcd.
final class PatroniDatabase: ClusterStorage {
  /// Whether everything is installed that it needs.
  static let isThere =
    ClusterDatabase.programs != nil && ChildProcess.find("patroni") != nil && ChildProcess.find("etcd") != nil
  static let absence = "PostgreSQL, patroni or etcd is not installed."

  /// One server.
  private struct Member: Sendable {
    let name: String
    let port: Int
    let monitor: Int
    /// By which the other one follows it.
    let replication: Forwarder
    let folder: URL
  }

  private let members: [Member]
  private let etcd: ClusterProcess
  private let programs: URL
  private let guardian: Guardian
  private let agents = Locked<[ClusterProcess?]>([nil, nil])

  /// Makes one and starts it.
  /// - Parameter isSynchronous: whether a commit waits for the standby, while there is one: a new primary has none, and has to be able
  ///   to end something, or nothing could be wrong beside an old one.
  init(folder: URL, isSynchronous: Bool, guardian: Guardian) async throws {
    guard let programs = ClusterDatabase.programs, let program = ChildProcess.find("etcd") else {
      throw ClusterDatabase.Failed(description: Self.absence)
    }
    (self.programs, self.guardian) = (programs, guardian)
    try ClusterDatabase.makeFolder(folder)
    let ports = try await Self.freePorts(6)
    let etcdAddress = "http://127.0.0.1:\(ports[0])"
    let logs = folder.deletingLastPathComponent()
    etcd = try await ClusterProcess(
      program,
      [
        "--data-dir", logs.appending(path: "etcd").path(percentEncoded: false), "--listen-client-urls", etcdAddress,
        "--advertise-client-urls", etcdAddress, "--listen-peer-urls", "http://127.0.0.1:\(ports[1])",
        "--initial-advertise-peer-urls", "http://127.0.0.1:\(ports[1])", "--initial-cluster",
        "default=http://127.0.0.1:\(ports[1])", "--unsafe-no-fsync",
      ], environment: ["PATH": "/usr/bin:/bin"], readsErrors: true, log: logs.appending(path: "etcd.log"),
      guardian: guardian, until: "ready to serve client requests")
    var members: [Member] = []
    for (index, name) in ["a", "b"].enumerated() {
      let member = Member(
        name: name, port: ports[2 + index], monitor: ports[4 + index],
        replication: try await Forwarder(toPort: ports[2 + index]), folder: folder.appending(path: name))
      try ClusterDatabase.makeFolder(member.folder)
      let text = Self.configuration(
        member, etcd: ports[0], programs: programs, isSynchronous: isSynchronous)
      try Data(text.utf8).write(to: member.folder.appending(path: "patroni.yml"))
      members.append(member)
    }
    self.members = members
    do {
      try await startAgent(0)
      _ = try await primary(other: nil)
      try await startAgent(1)
      try await waitForStandby(isSynchronous: isSynchronous)
    } catch {
      // What Patroni has started goes on without it.
      await end()
      throw error
    }
  }

  /// Ports that nothing listens on now.
  private static func freePorts(_ count: Int) async throws -> [Int] {
    var forwarders: [Forwarder] = []
    for _ in 0..<count { forwarders.append(try await Forwarder(toPort: 1)) }
    for forwarder in forwarders { await forwarder.stop() }
    return forwarders.map(\.port)
  }

  private static func configuration(_ member: Member, etcd: Int, programs: URL, isSynchronous: Bool) -> String {
    let folder = member.folder.path(percentEncoded: false)
    return """
      scope: chaos
      name: \(member.name)
      restapi:
        listen: 127.0.0.1:\(member.monitor)
        connect_address: 127.0.0.1:\(member.monitor)
      etcd3:
        host: 127.0.0.1:\(etcd)
      bootstrap:
        dcs:
          ttl: 8
          loop_wait: 1
          retry_timeout: 3
          maximum_lag_on_failover: 1073741824
          synchronous_mode: \(isSynchronous)
          synchronous_mode_strict: false
          postgresql:
            use_pg_rewind: true
            use_slots: true
            parameters:
              max_connections: 100
              wal_log_hints: "on"
              fsync: "off"
        initdb:
        - encoding: UTF8
        - locale: C
      postgresql:
        listen: 127.0.0.1:\(member.port)
        connect_address: 127.0.0.1:\(member.replication.port)
        data_dir: \(folder)/data
        bin_dir: \(programs.path(percentEncoded: false))
        pgpass: \(folder)/pgpass
        authentication:
          superuser: {username: ostiary, password: ostiary}
          replication: {username: follower, password: follower}
          rewind: {username: ostiary, password: ostiary}
        pg_hba:
        - local all all trust
        - host all all 127.0.0.1/32 trust
        - host replication all 127.0.0.1/32 trust
        parameters:
          unix_socket_directories: \(folder)
      tags: {nofailover: false, nosync: false}

      """
  }

  private func startAgent(_ index: Int) async throws {
    guard let patroni = ChildProcess.find("patroni") else {
      throw ClusterDatabase.Failed(description: Self.absence)
    }
    let file = members[index].folder.appending(path: "patroni.yml").path(percentEncoded: false)
    let (program, arguments) = ClusterDatabase.asOwner(patroni, [file])
    let log = members[index].folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "patroni-\(members[index].name).log")
    let started = try await ClusterProcess(
      program, arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin", "LC_ALL": "C"], readsErrors: true, log: log,
      guardian: guardian, until: "INFO")
    agents.withLock { $0[index] = started }
  }

  // MARK: What the nodes see

  var address: Secret {
    let hosts = members.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    return Secret("postgres://ostiary@\(hosts)/postgres?sslmode=disable&gssencmode=disable")
  }

  func ways() async throws -> [Forwarder] {
    var ways: [Forwarder] = []
    for member in members { ways.append(try await Forwarder(toPort: member.port)) }
    return ways
  }

  func answer(_ query: String) async throws -> String {
    let primary = try await primary(other: nil)
    guard let text = try await self.query(primary, query) else {
      throw ClusterDatabase.Failed(description: "The primary does not answer.")
    }
    return text
  }

  func end() async {
    for index in members.indices { await kill(index) }
    await etcd.end()
    for member in members { await member.replication.stop() }
  }

  // MARK: What becomes of the servers

  /// Waits until there is a primary.
  /// - Parameter other: the server that it must not be.
  func primary(other: Int?) async throws -> Int {
    for _ in 0..<600 {
      for index in members.indices where index != other {
        if try await query(index, "SELECT pg_is_in_recovery()") == "f" {
          guard let pid = postmaster(index) else { continue }
          guardian.watch(pid)
          return index
        }
      }
      // Patroni looks once a second; nothing tells of it.
      try await Task.sleep(for: .milliseconds(200))
    }
    throw ClusterDatabase.Failed(description: "There was no primary for two minutes.")
  }

  /// Waits until the other server follows the primary, synchronously where it should.
  func waitForStandby(isSynchronous: Bool) async throws {
    let condition = isSynchronous ? "sync_state IN ('sync', 'quorum')" : "state = 'streaming'"
    for _ in 0..<600 {
      for index in members.indices {
        let count = try await query(index, "SELECT count(*) FROM pg_stat_replication WHERE \(condition)")
        if let count, count != "0" {
          for pid in members.indices.compactMap(postmaster) { guardian.watch(pid) }
          return
        }
      }
      try await Task.sleep(for: .milliseconds(200))
    }
    throw ClusterDatabase.Failed(description: "There was no standby for two minutes.")
  }

  /// Asks a server something; nil if it does not answer.
  private func query(_ index: Int, _ text: String) async throws -> String? {
    let result = try await ChildProcess.run(
      programs.appending(path: "psql"),
      ["-h", members[index].folder.path(percentEncoded: false), "-p", "\(members[index].port)", "-U", "ostiary"]
        + ["-d", "postgres", "-XAtqc", text])
    return result.status == 0 ? result.output.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }

  /// The process that Patroni has started there.
  private func postmaster(_ index: Int) -> Int32? {
    let file = members[index].folder.appending(path: "data/postmaster.pid")
    return (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").first.flatMap { Int32($0) }
  }

  /// Kills a server and its Patroni.
  func kill(_ index: Int) async {
    let agent = agents.withLock { agents in
      defer { agents[index] = nil }
      return agents[index]
    }
    await agent?.end()
    guard let pid = postmaster(index) else { return }
    // SIGQUIT ends its children too, and finishes nothing.
    _ = send(SIGQUIT, to: pid)
    for _ in 0..<200 where send(0, to: pid) { try? await Task.sleep(for: .milliseconds(50)) }
    guardian.forget(pid)
  }

  /// Starts one that was killed.
  func restart(_ index: Int) async throws { try await startAgent(index) }

  /// Stops the Patroni of a server, which then can't give up being the primary; or lets it go on.
  func pauseAgent(_ index: Int, _ isPaused: Bool) {
    agents.withLock { $0[index] }?.signal(isPaused ? SIGSTOP : SIGCONT)
  }

  /// What the other server gets from this one to follow it.
  func replication(from index: Int) -> Forwarder { members[index].replication }
}

/// Whether there is such a process.
private func send(_ signal: Int32, to process: Int32) -> Bool { kill(process, signal) == 0 }
