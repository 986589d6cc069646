import Foundation
import Logging
import OstiaryCore
import OstiaryServer
import OstiaryTesting

/// Some nodes on one PostgreSQL, all processes of this machine, and what can be done to them.
final class Cluster: Sendable {
  /// Users who can sign in, and with what.
  static let password: Secret = "a fine long password"
  static let app = "crew"
  static let appSecret: Secret = "1955279925675241571-4d1c3f6a9be05278"
  static let callback = "app:/done"

  let folder: URL
  let database: any ClusterStorage
  let nodes: [ClusterNode]

  private init(folder: URL, database: any ClusterStorage, nodes: [ClusterNode]) {
    (self.folder, self.database, self.nodes) = (folder, database, nodes)
  }

  /// What the nodes share.
  enum StorageKind: Sendable {
    /// One PostgreSQL.
    case single
    /// Two, of which one follows the other and takes its place.
    case failover(isSynchronous: Bool)
  }

  private static func storage(
    _ kind: StorageKind, in folder: URL, _ guardian: Guardian
  ) async throws -> any ClusterStorage {
    switch kind {
    case .single: try await ClusterDatabase(folder: folder, isDurable: ChaosRun.isFull, guardian: guardian)
    case .failover(let isSynchronous):
      try await PatroniDatabase(folder: folder, isSynchronous: isSynchronous, guardian: guardian)
    }
  }

  /// Starts a cluster, lets `body` use it, and ends all of its processes, also after an error.
  /// - Parameters:
  ///   - users: how many there are: user0, user1 and so on.
  ///   - program: what the nodes are, if not what was built with the tests.
  static func run<Value: Sendable>(
    nodes count: Int = 3, users: Int, storage kind: StorageKind = .single, program: URL? = nil, options: [String] = [],
    _ body: (Cluster) async throws -> Value
  ) async throws -> Value {
    let folder = URL(filePath: "/tmp/ostiary-cluster-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    let guardian = try Guardian()
    var (ways, nodes): ([Forwarder], [ClusterNode]) = ([], [])
    var database: (any ClusterStorage)?
    let outcome: Result<Value, any Error>
    do {
      let made = try await storage(kind, in: folder.appending(path: "pg"), guardian)
      database = made
      let options = try await prepare(folder, made, nodes: count, users: users, program: program) + options
      for number in 0..<count {
        let own = try await made.ways()
        ways += own
        nodes.append(
          try await ClusterNode(
            number, folder: folder, program: program, options: options, ways: own, guardian: guardian))
      }
      outcome = .success(try await body(Cluster(folder: folder, database: made, nodes: nodes)))
    } catch {
      outcome = .failure(error)
    }
    for node in nodes { await node.end(SIGKILL) }
    await database?.end()
    for way in ways { await way.stop() }
    // What was written is of use only after a failure.
    if case .success = outcome, ProcessInfo.processInfo.environment["OSTIARY_CHAOS_KEEP"] == nil {
      try? FileManager.default.removeItem(at: folder)
    }
    return try outcome.get()
  }

  /// Makes the tables, the key and the users, as an administrator's commands would, and returns the nodes' options.
  private static func prepare(
    _ folder: URL, _ database: any ClusterStorage, nodes: Int, users: Int, program: URL?
  ) async throws -> [String] {
    let home = folder.appending(path: "admin", directoryHint: .isDirectory)
    if let program {
      try await addUsers(users, in: home, database, by: program)
    } else {
      try await addUsers(users, in: home, database)
    }
    let apps = folder.appending(path: "apps")
    let line = "\(app) callback=\(callback) secret=\(appSecret.reveal()) optional-secret headless rotate challenge\n"
    try Data(line.utf8).write(to: apps)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: apps.path(percentEncoded: false))
    // Where every version looks for it.
    for number in 0..<nodes { try copyKey(from: home, to: ClusterNode.home(number, in: folder)) }
    return [
      "--salesforce-apps", apps.path(percentEncoded: false), "--salesforce-daily-requests", "1000000000",
    ]
  }

  private static func copyKey(from admin: URL, to home: URL) throws {
    try FileManager.default.createDirectory(
      at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let key = home.appending(path: "ostiary.key")
    try FileManager.default.copyItem(at: admin.appending(path: "ostiary.key"), to: key)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: key.path(percentEncoded: false))
  }

  private static func addUsers(_ count: Int, in home: URL, _ database: any ClusterStorage) async throws {
    let storage = try ServerStorage(.postgreSQL(PostgreSQLDatabase(database.address, folder: home)))
    let identity = try IdentityService(
      storage: storage, configuration: .insecureForDevelopmentOnly,
      logger: Logger(label: "cluster") { _ in SwiftLogNoOpLogHandler() })
    try await fourAtATime(count) { try await identity.addUser(name: "user\($0)", password: password) }
    try await storage.close()
  }

  /// As an older version does it, whose tables they are then.
  private static func addUsers(
    _ count: Int, in home: URL, _ database: any ClusterStorage, by program: URL
  ) async throws {
    let path = home.path(percentEncoded: false)
    let add: @Sendable (Int) async throws -> Void = { number in
      let result = try await ChildProcess.run(
        program,
        [
          "user", "add", "user\(number)", "--dev", "--password-stdin", "--data", path, "--database",
          database.address.reveal(),
        ], environment: ["PATH": "/usr/bin:/bin", "OSTIARY_HOME": path], input: password.reveal())
      guard result.status == 0 else { throw ClusterDatabase.Failed(description: "user add: \(result.error)") }
    }
    // The first makes the tables and the key.
    try await add(0)
    try await fourAtATime(count - 1) { try await add($0 + 1) }
  }

  private static func fourAtATime(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask { for number in stride(from: worker, to: count, by: 4) { try await body(number) } }
      }
      try await group.waitForAll()
    }
  }

  // MARK: Faults

  /// Carries a plan out.
  func perform(_ plan: ClusterPlan, _ note: @Sendable (ClusterPlan.Step) -> Void) async throws {
    let start = ContinuousClock.now
    for step in plan.steps {
      // The moments themselves are the input. This waits for nothing.
      try await Task.sleep(until: start + .milliseconds(step.at))
      note(step)
      try await perform(step.fault)
    }
  }

  private func perform(_ fault: ClusterPlan.Fault) async throws {
    switch fault {
    case .killNode(let node): try await nodes[node].killAndStart()
    case .stopNode(let node, let milliseconds):
      nodes[node].signal(SIGSTOP)
      defer { nodes[node].signal(SIGCONT) }
      try await Task.sleep(for: .milliseconds(milliseconds))
    case .stopDatabase(let milliseconds):
      guard let database = database as? ClusterDatabase else { return }
      await database.stopImmediately()
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await database.start()
    case .endBackends(let count): _ = try await (database as? ClusterDatabase)?.endBackends(count)
    case .cutOff(let node, let milliseconds): try await set(.cut, node, milliseconds)
    case .silence(let node, let milliseconds): try await set(.silent, node, milliseconds)
    case .delay(let node, let delay, let milliseconds): try await set(.late(milliseconds: delay), node, milliseconds)
    case .losePackets(let node, let perMille, let milliseconds):
      try await OwnNetwork.losePackets(port: nodes[node].ways[0].port, perMille: perMille)
      do {
        try await Task.sleep(for: .milliseconds(milliseconds))
      } catch {
        try await OwnNetwork.loseNoPackets()
        throw error
      }
      try await OwnNetwork.loseNoPackets()
    }
  }

  private func set(_ mode: Forwarder.Mode, _ node: Int, _ milliseconds: Int) async throws {
    for way in nodes[node].ways { way.set(mode) }
    defer { for way in nodes[node].ways { way.set(.open) } }
    try await Task.sleep(for: .milliseconds(milliseconds))
  }
}
