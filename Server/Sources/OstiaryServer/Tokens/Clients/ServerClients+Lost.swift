import Foundation
import OstiaryCore

/// What has changed for clients shortly before another primary took over, which may have lost it.
extension ServerClients {
  /// Disables clients again whose disabling the database has lost. Where it has lost nothing, nothing happens.
  /// - Parameter heard: what this server has heard of, in the order in which it has happened.
  /// - Returns: the clients of which another change is lost: what it was is known to no server.
  func makeAgain(_ heard: [HeardEnd]) async throws(ServerError) -> [String] {
    let changes = heard.filter { [.client, .clientDisabled, .clientEnabled].contains($0.end.kind) }
    var lost: [String] = []
    for (id, changes) in Dictionary(grouping: changes, by: \.end.subject).sorted(by: { $0.key < $1.key }) {
      if try await makeAgain(changes, of: id) { lost.append(id) }
    }
    return lost
  }

  /// - Returns: whether a change is lost that can't be made again.
  private func makeAgain(_ heard: [HeardEnd], of id: String) async throws(ServerError) -> Bool {
    try await change { db, trail in
      guard let client = try ClientRow.find(id, isForUse: true, in: db)?.client else { return false }
      // The database has what it has numbered, for longer than servers remember it.
      let lost = try heard.filter { change in
        let end = change.end
        return try !db.exists(LeaseStatements.sql.knows, end.number, end.kind.rawValue, end.subject)
      }
      // The last one counts, unless an administrator has decided since, at the new primary.
      if let last = lost.last(where: { $0.end.kind != .client }), last.end.kind == .clientDisabled, !client.isDisabled,
        try !db.exists(LeaseStatements.sql.isFollowed, id, last.at)
      {
        try db.run(ClientStatements.sql.setDisabled, true, id, ends: .client(id, isDisabled: true))
        try trail.note(AuditEvent(.clientDisabled, .administrator, client: id), in: db)
      }
      return lost.contains { $0.end.kind == .client }
    }
  }
}
