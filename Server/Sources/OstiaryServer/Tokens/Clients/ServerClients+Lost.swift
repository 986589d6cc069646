import Foundation
import OstiaryCore

/// What has changed for clients shortly before another primary took over, which may have lost it.
extension ServerClients {
  /// Disables clients again whose disabling the database has lost. Where it has lost nothing, nothing happens.
  /// - Parameter heard: what this server has heard of, in the order in which it has happened.
  /// - Returns: the clients of which another change is lost: what it was is known to no server.
  func makeAgain(_ heard: [HeardEnd]) async throws(ServerError) -> [String] {
    let changes = heard.filter { [.client, .clientDisabled, .clientEnabled].contains($0.end.kind) }
    guard !changes.isEmpty else { return [] }
    let since = try await firstLost(of: heard.map(\.end))
    var lost: [String] = []
    for (id, changes) in Dictionary(grouping: changes, by: \.end.subject).sorted(by: { $0.key < $1.key }) {
      if try await makeAgain(changes, of: id, since: since) { lost.append(id) }
    }
    return lost
  }

  /// Ends are numbered in the order of their commits, so a database that has lost some has lost the last ones. From the first of their
  /// numbers on it has what has ended since. Times don't tell: each machine has a clock of its own.
  /// - Returns: that number; a higher one than any if it has lost none.
  private func firstLost(of heard: [LeaseEnd]) async throws(ServerError) -> Int64 {
    try await storage.read { db -> Int64 in
      var (known, lost) = (0, heard.count)
      while known < lost {
        let middle = (known + lost) / 2
        if try Self.knows(heard[middle], in: db) { known = middle + 1 } else { lost = middle }
      }
      return lost < heard.count ? heard[lost].number : .max
    }
  }

  /// Whether the database has an end of before. It has what it has numbered, for longer than servers remember it.
  private static func knows(_ end: LeaseEnd, in db: StorageConnection) throws -> Bool {
    try db.exists(LeaseStatements.sql.knows, end.number, end.kind.rawValue, end.subject)
  }

  /// - Parameter since: the first number of what has ended at the new primary.
  /// - Returns: whether a change is lost that can't be made again.
  private func makeAgain(_ heard: [HeardEnd], of id: String, since: Int64) async throws(ServerError) -> Bool {
    try await change { db, trail in
      guard let client = try ClientRow.find(id, isForUse: true, in: db)?.client else { return false }
      let lost = try heard.filter { change in try !Self.knows(change.end, in: db) }
      // The last one counts, unless an administrator has decided since, at the new primary.
      if let last = lost.last(where: { $0.end.kind != .client }), last.end.kind == .clientDisabled, !client.isDisabled,
        try !db.exists(LeaseStatements.sql.isFollowed, id, min(since, lost[0].end.number))
      {
        try db.run(ClientStatements.sql.setDisabled, true, id, ends: .client(id, isDisabled: true))
        try trail.note(AuditEvent(.clientDisabled, .administrator, client: id), in: db)
      }
      return lost.contains { $0.end.kind == .client }
    }
  }
}
