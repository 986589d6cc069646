import Foundation
import OstiaryCore

extension NewzuluDoor {
  /// The most files of one answer.
  private static let longestPage = 500

  /// `media.getFiles`: a page of the files of a tenant that the caller may see.
  func files(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let arguments = call.arguments
    var query = NewzuluMedia.Query(vhost: try caller.requireVhost(), viewer: viewer(caller))
    query.start = try arguments.integer("start") ?? 0
    query.limit = min(try arguments.integer("limit") ?? 25, Self.longestPage)
    guard query.start >= 0 else { throw arguments.invalid("start") }
    guard query.limit >= 0 else { throw arguments.invalid("limit") }
    if let sort = try arguments.text("sort"), !sort.isEmpty {
      let words = sort.lowercased().split(separator: " ")
      let direction = words.count == 1 ? "asc" : words.last
      guard let order = words.first.flatMap({ NewzuluMedia.Order(rawValue: String($0)) }), words.count <= 2,
        direction == "asc" || direction == "desc"
      else { throw arguments.invalid("sort") }
      (query.order, query.isDescending) = (order, direction == "desc")
    }
    if let filters = try arguments.members("filters") {
      // An unknown filter that was ignored would show too many files.
      for name in filters.values.keys where !["channel", "uid", "status", "title"].contains(name) {
        throw filters.invalid(name)
      }
      query.channel = try filters.storableText("channel")
      query.ownerNumber = try filters.integer("uid")
      query.status = try filters.integer("status")
      query.title = try filters.storableText("title")
    }
    let fields = try arguments.list("fields")?.compactMap(\.string)
    let (total, files) = try await media.list(query)
    return .object([
      "totalCount": .integer(Int64(total)), "data": .array(files.map { item($0, fields: fields) }),
    ])
  }

  /// `media.getFileInfo`.
  func fileInfo(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let id = try fileID(call)
    guard let file = try await media.file(id, for: viewer(caller), vhost: caller.vhost) else {
      throw NewzuluFailure.notFound
    }
    return item(file)
  }

  func fileID(_ call: NewzuluReceivedCall) throws(NewzuluFailure) -> Int64 {
    guard let id = try call.arguments.integer("id") else { throw call.arguments.invalid("id") }
    return Int64(id)
  }

  private func viewer(_ caller: NewzuluCaller) -> NewzuluMedia.Viewer {
    if caller.may(.seeAllMedia) { return .everything }
    return caller.session.map { .user(id: $0.user.id) } ?? .anybody
  }

  /// - Parameter fields: The requested members, besides the id; nil or empty for all.
  func item(_ file: NewzuluFileRecord, fields: [String]? = nil) -> JSONValue {
    var members = file.members
    members["uid"] = file.ownerNumber.map(id) ?? .null
    if let fields, !fields.isEmpty { members = members.filter { fields.contains($0.key) } }
    members["id"] = id(file.id)
    return .object(members)
  }
}
