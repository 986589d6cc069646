import Foundation
internal import OstiaryCore

/// The door's files, and who sees them.
struct NewzuluMedia: Sendable {
  /// The caller.
  enum Viewer: Sendable {
    /// Sees approved files.
    case anybody
    /// Sees approved files and their own, also unfinished ones.
    case user(id: String)
    case everything

    /// Adds the condition for the visibility of a file.
    func add(to query: inout StorageQuery) {
      switch self {
      case .anybody: query.add(NewzuluMedia.sql.seenByAnybody)
      case .user(let id): query.add(NewzuluMedia.sql.seenByUser, id)
      case .everything: query.add(NewzuluMedia.sql.seenByEverything)
      }
    }
  }

  /// The selection and the order of a list.
  struct Query: Sendable {
    var vhost: String
    var viewer: Viewer
    var channel: String?
    var ownerNumber: Int?
    var status: Int?
    /// A part of the title, without regard to the case of ASCII letters.
    var title: String?
    var order = Order.upload
    var isDescending = true
    var start = 0
    var limit = 25
  }

  enum Order: String, Sendable {
    case upload, id, title

    func columns(isDescending: Bool) -> [StorageFragment] {
      let sql = NewzuluMedia.sql
      let byID = isDescending ? sql.byIDDescending : sql.byID
      return switch self {
      case .upload: [isDescending ? sql.byUploadDescending : sql.byUpload, byID]
      case .id: [byID]
      case .title: [isDescending ? sql.byTitleDescending : sql.byTitle, byID]
      }
    }
  }

  private static let sql = NewzuluMediaStatements.sql

  let storage: ServerStorage

  /// The files of a page of the list, and how many there are on all pages.
  func list(_ query: Query) async throws(ServerError) -> (total: Int, files: [NewzuluFileRecord]) {
    let (count, page) = query.statements
    return try await storage.read { db in (try db.count(count), try db.all(page) { try NewzuluFileRecord(&$0) }) }
  }

  /// A file, if the viewer may see it.
  func file(_ id: Int64, for viewer: Viewer, vhost: String?) async throws(ServerError) -> NewzuluFileRecord? {
    let query = Self.statement(id, for: viewer, vhost: vhost)
    return try await storage.read { db in try db.first(query) { try NewzuluFileRecord(&$0) } }
  }

  /// Makes a file visible to all callers, or to its owner only.
  /// - Returns: whether there is such a file.
  func moderate(_ id: Int64, isVisible: Bool) async throws(ServerError) -> Bool {
    try await storage.write { db in try db.changed(by: NewzuluStatements.sql.moderate, isVisible, id) > 0 }
  }
}

extension NewzuluMedia {
  /// The query for one file.
  static func statement(_ id: Int64, for viewer: Viewer, vhost: String?) -> StorageQuery {
    var query = StorageQuery(sql.select)
    viewer.add(to: &query)
    query.add(sql.withID, id)
    if let vhost { query.add(sql.ofVhost, vhost) }
    return query
  }
}

extension NewzuluMedia.Query {
  /// The queries for the number of all files and for those of the page.
  var statements: (count: StorageQuery, page: StorageQuery) {
    let sql = NewzuluMediaStatements.sql
    var page = StorageQuery(sql.select)
    add(to: &page)
    page.add(sql.order)
    page.add(separated: order.columns(isDescending: isDescending))
    page.add(sql.page, limit, start)
    var count = StorageQuery(sql.count)
    add(to: &count)
    return (count, page)
  }

  private func add(to query: inout StorageQuery) {
    let sql = NewzuluMediaStatements.sql
    viewer.add(to: &query)
    query.add(sql.ofVhost, vhost)
    if let channel { query.add(sql.inChannel, channel) }
    if let ownerNumber { query.add(sql.ofOwner, ownerNumber) }
    if let status { query.add(sql.withStatus, status) }
    if let title { query.add(sql.withTitle, title) }
  }
}
