import Foundation

/// The servers that share a database.
extension ServerStorage {
  /// The agreement on what has ended; nil where no other machine's server uses the database.
  var keeper: LeaseKeeper? {
    if case .leases(let keeper) = news { keeper } else { nil }
  }

  /// The process answers requests from now on. Where several servers may share the database, this one registers, and believes its
  /// caches while it has a lease.
  /// - Parameters:
  ///   - name: what administrators know it by.
  ///   - say: gets what is worth a line of the log.
  ///   - redo: gets what has ended in the last minutes when another primary has taken over, which may have lost it.
  func serve(
    name: String, version: String, since: Date, say: @escaping @Sendable (LeaseNote) -> Void,
    redo: @escaping @Sendable ([HeardEnd]) -> Void
  ) {
    serve(id: Self.nodeID(of: name), version: version, since: since, say: say, redo: redo)
  }

  /// The id of a server that starts: a process that starts again is another node, as what the one before it believed is its own.
  static func nodeID(of name: String) -> String { "\(name)-\(RandomBytes.make(6).base64URL)" }

  /// The same with an id that is known.
  func serve(
    id: String, version: String, since: Date, say: @escaping @Sendable (LeaseNote) -> Void,
    redo: @escaping @Sendable ([HeardEnd]) -> Void
  ) {
    let node = LeaseKeeper.Node(id: id, version: version, since: since.timeIntervalSince1970)
    keeper?.serve(as: node, say: say, redo: redo)
  }

  /// The servers that use the database, the oldest first; none where only this machine's can.
  package func nodes() async throws(ServerError) -> [ServerNode] {
    guard isShared else { return [] }
    return try await read { db in
      try db.all(LeaseStatements.sql.all) { reader in
        ServerNode(
          id: reader.next(), version: reader.next(), since: reader.next(), seenAt: reader.next(), shown: reader.next(),
          applied: reader.next())
      }
    }
  }

  /// - Throws: `storageDenied`, with what to do, if the database's user has lost a right that the agreement needs.
  func demandRights() async throws(ServerError) {
    guard isShared else { return }
    try await read { db in try PostgreSQLRights.demand(in: db) }
  }

  /// How many servers share the database, by what their rows tell; nil where only this machine's can.
  func nodeCount() async throws(ServerError) -> [NodeState: Int]? {
    guard let keeper else { return nil }
    let nodes = try await nodes()
    let now = keeper.databaseTime
    return nodes.reduce(into: [:]) { count, node in
      if let state = NodeState(node, at: now) { count[state, default: 0] += 1 }
    }
  }
}

extension NodeState {
  /// A server asks three times a second, or is seen once.
  private static let patience = 10.0
  /// After that its row is only history.
  private static let memory = 3600.0

  /// - Parameter now: seconds since 1970, by the database's clock.
  init?(_ node: ServerNode, at now: Double) {
    switch now - node.seenAt {
    case ..<Self.patience: self = node.shown == nil ? .unlisted : .listed
    case ..<Self.memory: self = .silent
    default: return nil
    }
  }
}
