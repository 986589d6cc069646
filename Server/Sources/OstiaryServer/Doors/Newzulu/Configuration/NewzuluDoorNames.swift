import OstiaryCore

/// What a Newzulu server calls things where it does not use its vendor's published names. Each table has the vendor's name as key and
/// this server's as value; a name without an entry is the vendor's.
package struct NewzuluDoorNames: Sendable {
  /// Names by the vendor's.
  package typealias Table = [String: String]

  /// The path of the calls.
  package var servicesPath = "/services/json"
  /// The calls, the keys in lower case: `users.confirmcredentials`.
  package var calls: Table = [:]
  /// The arguments of every call: `method`, `vhost`, `APIKEY`, `sessiontoken`, `username`, `password`.
  package var arguments: Table = [:]
  /// The members of every answer: `status`, `result`, `message`, `code`; and of lists: `totalCount`, `data`.
  package var answer: Table = [:]
  /// The members of a user.
  package var user: Table = [:]
  /// The members of a file, in answers and in `fileData`.
  package var file: Table = [:]
  /// `fileData`, and the members that uploads have besides a file's: `partSize`, `partUrls`, `parts`, `part`, `url`, `size`, `etag`.
  package var upload: Table = [:]
  /// The numbers of failures by those of ``NewzuluFailure/Code``.
  package var codes: [Int64: Int64] = [:]

  package init() {}

  /// What a call is about, which decides the names in its arguments and in its result.
  enum Subject: Sendable { case user, file, upload }

  /// Whether any member of a user, of a file or of a list has another name than the vendor's.
  private var hasMemberNames: Bool { !(user.isEmpty && file.isEmpty && upload.isEmpty && answer.isEmpty) }

  /// The vendor's name of a call, in lower case; an empty text if this server has no call of that name.
  func call(named name: String) -> String {
    let name = name.lowercasedASCII
    if let known = calls.first(where: { $0.value.lowercasedASCII == name }) { return known.key }
    return calls[name] == nil ? name : ""
  }

  /// A call's arguments under the vendor's names.
  func arguments(_ values: [String: JSONValue], about subject: Subject?) -> [String: JSONValue] {
    guard subject == .file || subject == .upload, hasMemberNames else { return Self.restored(values, by: arguments) }
    let members = file.merging(upload) { $1 }
    return Self.restored(values, by: members.merging(arguments) { $1 })
      .mapValues { Self.mapped($0) { Self.restored($0, by: members) } }
  }

  /// A call's result under this server's names.
  func result(_ value: JSONValue, about subject: Subject?) -> JSONValue {
    // Nearly every server uses the vendor's names; its results are not walked through.
    guard hasMemberNames else { return value }
    switch subject {
    case .user: return Self.mapped(value, depth: 0) { Self.renamed($0, by: user) }
    case .file:
      guard case .object(var members) = value, let list = members["data"]?.array else {
        return Self.mapped(value) { Self.renamed($0, by: file) }
      }
      members["data"] = .array(list.map { Self.mapped($0) { Self.renamed($0, by: file) } })
      return .object(Self.renamed(members, by: answer))
    case .upload:
      // An upload has its file's members and its own; its parts have the upload's alone.
      return Self.mapped(value) { Self.renamed($0, by: file.merging(upload) { $1 }) }
    case nil: return value
    }
  }

  /// The envelope of an answer under this server's names.
  func envelope(_ members: [String: JSONValue]) -> JSONValue {
    var members = members
    if case .integer(let code)? = members["code"] { members["code"] = .integer(codes[code] ?? code) }
    return .object(Self.renamed(members, by: answer))
  }

  private static func renamed(_ members: [String: JSONValue], by table: Table) -> [String: JSONValue] {
    guard !table.isEmpty else { return members }
    return Dictionary(members.map { (table[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
  }

  /// The opposite. A vendor's name that has another one here means nothing.
  private static func restored(_ members: [String: JSONValue], by table: Table) -> [String: JSONValue] {
    guard !table.isEmpty else { return members }
    let vendors = Dictionary(table.map { ($0.value, $0.key) }) { first, _ in first }
    return members.reduce(into: [:]) { restored, member in
      if let name = vendors[member.key] ?? (table[member.key] == nil ? member.key : nil) {
        restored[name] = member.value
      }
    }
  }

  /// A value with a change made to the members of every object in it, up to a depth.
  private static func mapped(
    _ value: JSONValue, depth: Int = 4, _ change: ([String: JSONValue]) -> [String: JSONValue]
  ) -> JSONValue {
    switch value {
    case .object(let members):
      .object(depth == 0 ? change(members) : change(members.mapValues { mapped($0, depth: depth - 1, change) }))
    case .array(let elements) where depth > 0: .array(elements.map { mapped($0, depth: depth - 1, change) })
    default: value
    }
  }
}
