import Foundation
internal import GRDB
internal import OstiaryCore

/// The files that the door knows, and who sees which.
struct NewzuluMedia: Sendable {
  /// Who asks.
  enum Viewer: Sendable {
    /// Sees what has been looked over.
    case anybody
    /// Sees that and what is their own, even unfinished.
    case user(id: String)
    case everything

    /// The condition for a file to be seen.
    var condition: (sql: String, arguments: StatementArguments) {
      let isPublic = "is_moderated = 1 AND status NOT IN (0, 5)"
      return switch self {
      case .anybody: (isPublic, [])
      case .user(let id): ("(\(isPublic) OR (newzulu_files.user_id = ? AND status <> 0))", [id])
      case .everything: ("status <> 0", [])
      }
    }
  }

  /// What is listed, and in which order.
  struct Query: Sendable {
    var vhost: String
    var viewer: Viewer
    var channel: String?
    var ownerNumber: Int?
    var status: Int?
    /// A piece of the title, without regard to the case of ASCII letters.
    var title: String?
    var order = Order.upload
    var isDescending = true
    var start = 0
    var limit = 25
  }

  enum Order: String, Sendable {
    case upload, id, title

    var columns: [String] {
      switch self {
      case .upload: ["newzulu_files.created_at", "newzulu_files.id"]
      case .id: ["newzulu_files.id"]
      case .title: ["title COLLATE NOCASE", "newzulu_files.id"]
      }
    }
  }

  let storage: ServerStorage

  /// The files of a page of the list, and how many there are on all pages.
  func list(_ query: Query) async throws(ServerError) -> (total: Int, files: [NewzuluFile]) {
    var (condition, arguments) = query.viewer.condition
    condition += " AND vhost = ?"
    arguments += [query.vhost]
    for (sql, value) in [
      ("channel = ?", query.channel?.databaseValue), ("number = ?", query.ownerNumber?.databaseValue),
      ("status = ?", query.status?.databaseValue), ("instr(lower(title), lower(?)) > 0", query.title?.databaseValue),
    ] {
      guard let value else { continue }
      condition += " AND " + sql
      arguments += [value]
    }
    let order = query.order.columns.map { $0 + (query.isDescending ? " DESC" : "") }.joined(separator: ", ")
    return try await storage.read { [condition, arguments] db in
      let total = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM (\(NewzuluFile.selection) WHERE \(condition))", arguments: arguments)
      let rows = try Row.fetchAll(
        db, sql: "\(NewzuluFile.selection) WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?",
        arguments: arguments + [query.limit, query.start])
      return (total ?? 0, try rows.map(NewzuluFile.init))
    }
  }

  /// A file, if the viewer may see it.
  func file(_ id: Int64, for viewer: Viewer, vhost: String?) async throws(ServerError) -> NewzuluFile? {
    let (condition, arguments) = viewer.condition
    return try await storage.read { db in
      try Row.fetchOne(
        db, sql: "\(NewzuluFile.selection) WHERE \(condition) AND newzulu_files.id = ? AND (? IS NULL OR vhost = ?)",
        arguments: arguments + [id, vhost, vhost]
      ).map(NewzuluFile.init)
    }
  }

  /// Lets everybody see a file, or nobody but its owner.
  /// - Returns: whether there is such a file.
  func moderate(_ id: Int64, isVisible: Bool) async throws(ServerError) -> Bool {
    try await storage.write { db in
      try db.execute(
        sql: "UPDATE newzulu_files SET is_moderated = ? WHERE id = ? AND status <> 0", arguments: [isVisible, id])
      return db.changesCount > 0
    }
  }
}
