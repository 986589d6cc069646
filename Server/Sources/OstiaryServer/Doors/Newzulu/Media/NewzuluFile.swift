import Foundation
internal import GRDB
import OstiaryCore

/// A file as the door knows it: what is known of it, never its content.
struct NewzuluFile: Sendable {
  /// How far it has come, in the vendor's numbers.
  enum Status: Int64, Sendable {
    case abandoned = 0, queued = 1, ready = 3, incomplete = 5
  }

  let id: Int64
  let vhost: String
  let userID: String
  let title: String
  let message: String
  let filename: String
  let type: String
  let channel: String
  let size: Int
  let partSize: Int
  let status: Status
  let isModerated: Bool
  let createdAt: Date
  /// The number of whoever uploaded it.
  let ownerNumber: Int64?
  let ownerAttributes: [String: JSONValue]

  /// How many parts it consists of; an empty file has one.
  var partCount: Int { size == 0 ? 1 : (size - 1) / partSize + 1 }

  /// The size of a part, or nil where there is none of that number.
  func size(ofPart part: Int) -> Int? {
    guard (1...partCount).contains(part) else { return nil }
    return part < partCount ? partSize : size - partSize * (partCount - 1)
  }

  static let selection = """
    SELECT newzulu_files.*, newzulu_accounts.number, users.attributes
    FROM newzulu_files JOIN users ON users.id = newzulu_files.user_id
    LEFT JOIN newzulu_accounts ON newzulu_accounts.user_id = users.id
    """

  init(_ row: Row) throws {
    guard let status = Status(rawValue: row["status"]) else {
      throw ServerError(.storageCorrupt, "A file has no status that is known.", advice: "Restore a backup.")
    }
    self.status = status
    id = row["id"]
    vhost = row["vhost"]
    userID = row["user_id"]
    title = row["title"]
    message = row["message"]
    filename = row["filename"]
    type = row["type"]
    channel = row["channel"]
    size = row["size"]
    partSize = row["part_size"]
    isModerated = row["is_moderated"]
    createdAt = Date(timeIntervalSince1970: row["created_at"])
    ownerNumber = row["number"]
    ownerAttributes = try AttributesColumn.decode(row["attributes"])
  }

  static func find(_ id: Int64, in db: GRDB.Database) throws -> NewzuluFile? {
    try Row.fetchOne(
      db.cachedStatement(sql: "\(selection) WHERE newzulu_files.id = ?"), arguments: [id]
    ).map(NewzuluFile.init)
  }
}

extension NewzuluFile {
  /// The vendor's number for what kind of file it is.
  private var kind: String {
    switch type.prefix(while: { $0 != "/" }) {
    case "image": "1"
    case "video": "2"
    case "audio": "3"
    case "text": "4"
    default: "0"
    }
  }

  /// The item of the vendor's lists, without the ids.
  var members: [String: JSONValue] {
    [
      "title": .string(title), "message": .string(message), "filename": .string(filename), "filetype": .string(kind),
      "type": .string(type), "filesize": .integer(Int64(size)), "status": .string(String(status.rawValue)),
      "moderationstatus": isModerated ? "1" : "0", "upload": .string(NewzuluProfile.timestamp(createdAt)),
      "channel": .string(channel), "hits": "0", "rating": "0", "commentcount": "0",
      "user_firstname": NewzuluProfile.text(ownerAttributes["firstname"]) ?? .null,
      "user_lastname": NewzuluProfile.text(ownerAttributes["lastname"]) ?? .null,
    ]
  }
}
