internal import Crypto
package import Foundation
internal import Logging
internal import OstiaryCore

/// The audit trail for its readers: on the server's machine, also while the server runs.
package struct AuditArchive: Sendable {
  private let storage: ServerStorage
  private static let page = 1000

  /// - Parameter storage: an open storage.
  package init(_ storage: ServerStorage) {
    self.storage = storage
  }

  /// A selection of events.
  package struct Query: Sendable {
    /// The user whose events are read: those of the user, and those of attempts with the name for which no user was found.
    package var user: (name: String, tenant: String?, id: String?)?
    /// The time of the earliest event.
    package var since: Date?
    /// The kinds of event; empty for all kinds.
    package var kinds: [AuditKind] = []
    /// The number of events, counted from the last; nil for all.
    package var last: Int?

    package init() {}

    /// What `ostiary why` tells of a user, or of all: the last events, without those about administrators.
    /// - Parameter user: `id` is nil where there is no user of that name.
    package static func story(of user: (name: String, tenant: String?, id: String?)?, last: Int) -> Query {
      var query = Query()
      query.user = user
      query.kinds = AuditKind.allCases.filter { !$0.isOfAdministration }
      query.last = last
      return query
    }
  }

  /// Reads the selected events, oldest first.
  /// - Parameter take: called for each event; an error that it throws ends the reading.
  package func read(_ query: Query, _ take: @Sendable (AuditRecord) throws -> Void) async throws {
    let subject = query.user.map { user in
      Subject(id: user.id, marks: AuditKeys.of(storage).marks(NameKey(user.name, tenant: user.tenant)))
    }
    guard query.last == nil else {
      for record in try await storage.read({ db in try Self.rows(query, subject, after: 0, in: db) }).reversed() {
        try take(record)
      }
      return
    }
    var last: Int64 = 0
    while true {
      let after = last
      let rows = try await storage.read { db in try Self.rows(query, subject, after: after, in: db) }
      for record in rows { try take(record) }
      guard rows.count == Self.page, let end = rows.last?.id else { return }
      last = end
    }
  }

  /// As ``read(_:_:)``, all at once.
  package func records(_ query: Query = Query()) async throws -> [AuditRecord] {
    let found = Locked<[AuditRecord]>([])
    try await read(query) { record in found.withLock { $0.append(record) } }
    return found.withLock { $0 }
  }

  private struct Subject: Sendable {
    let id: String?
    let marks: [String]
  }

  private static func rows(
    _ query: Query, _ subject: Subject?, after id: Int64, in db: StorageConnection
  ) throws -> [AuditRecord] {
    let sql = AuditStatements.sql
    var built = StorageQuery(sql.list, id)
    if let subject {
      if let id = subject.id {
        built.add(sql.ofUserOrNames, id)
      } else {
        built.add(sql.ofNames)
      }
      built.add(list: subject.marks)
      built.add(sql.end)
    }
    if let since = query.since { built.add(sql.since, since) }
    if !query.kinds.isEmpty {
      built.add(sql.ofKinds)
      built.add(list: query.kinds.map(\.rawValue))
    }
    if let last = query.last { built.add(sql.newestFirst, last) } else { built.add(sql.oldestFirst, page) }
    return try db.all(built) { AuditRecord(&$0) }
  }

  /// Gives every committed event its place in the chain: for commands, which end before a server's next pass.
  package func seal() async throws(ServerError) {
    let logger = Logger(label: "ostiary.audit")
    try await AuditSealer(storage: storage, clock: .system, logger: logger).seal()
  }

  /// Whether the chain is whole.
  package func verify() async throws(ServerError) -> AuditVerification {
    let keys = AuditKeys.of(storage).seals
    // Read before the chain: the chain contains this place by then, and may be longer.
    let witness = try Self.witness(of: storage, keys)
    let isSettled = storage.key.content.keys.count == 1
    return try await storage.read { db in
      try AuditVerification(
        keys: keys, isSettled: isSettled, witness: witness, pageSize: Self.page, in: db)
    }
  }

  private static func witness(of storage: ServerStorage, _ keys: PurposeKeys) throws(ServerError)
    -> AuditWitness.Reading?
  {
    do {
      return try AuditWitness(of: storage)?.read(keys: keys)
    } catch {
      throw ServerError(
        .storageDenied, "The file \(AuditWitness.fileName) can't be read.", advice: "Check who owns it.",
        underlying: error)
    }
  }
}
