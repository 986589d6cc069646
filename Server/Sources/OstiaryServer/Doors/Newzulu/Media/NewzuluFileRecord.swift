import Foundation
import OstiaryCore

/// The door's record of a file, without the content.
struct NewzuluFileRecord: Sendable {
  /// The state of the upload, in the vendor's numbers.
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
  /// The number of the user who uploaded it.
  let ownerNumber: Int64?
  let ownerAttributes: [String: JSONValue]

  /// How many parts it consists of; an empty file has one.
  var partCount: Int { size == 0 ? 1 : (size - 1) / partSize + 1 }

  /// The size of a part; nil if no part has that number.
  func size(ofPart part: Int) -> Int? {
    guard (1...partCount).contains(part) else { return nil }
    return part < partCount ? partSize : size - partSize * (partCount - 1)
  }

  /// In the order in which they are read.
  static let columns: StaticString = """
    newzulu_files.status, newzulu_files.id, newzulu_files.vhost, newzulu_files.user_id, newzulu_files.title,
    newzulu_files.message, newzulu_files.filename, newzulu_files.type, newzulu_files.channel, newzulu_files.size,
    newzulu_files.part_size, newzulu_files.is_moderated, newzulu_files.created_at, newzulu_accounts.number,
    users.attributes
    """
  /// The tables of the columns.
  static let source: StaticString = """
    FROM newzulu_files JOIN users ON users.id = newzulu_files.user_id
    LEFT JOIN newzulu_accounts ON newzulu_accounts.user_id = users.id
    """

  init(_ reader: inout ColumnReader) throws {
    guard let status = Status(rawValue: reader.next()) else {
      throw ServerError(.storageCorrupt, "A file has no status that is known.", advice: "Restore a backup.")
    }
    self.status = status
    id = reader.next()
    vhost = reader.next()
    userID = reader.next()
    title = reader.next()
    message = reader.next()
    filename = reader.next()
    type = reader.next()
    channel = reader.next()
    size = reader.next()
    partSize = reader.next()
    isModerated = reader.next()
    createdAt = reader.next()
    ownerNumber = reader.next()
    ownerAttributes = try AttributesColumn.decode(reader.next())
  }

  static func find(_ id: Int64, in db: StorageConnection) throws -> NewzuluFileRecord? {
    try db.first(NewzuluMediaStatements.sql.file, id) { try NewzuluFileRecord(&$0) }
  }
}

extension NewzuluFileRecord {
  /// The vendor's number for the kind of file.
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
