public import OstiaryCore

/// Which media items to list, as `media.getFiles` documents it.
public struct NewzuluFileQuery: Sendable, Hashable {
  /// The field to sort by and the direction: `upload DESC`, the newest first.
  public var sort = "upload DESC"
  /// Conditions by field, such as `["channel": 3]`.
  public var filters: [String: JSONValue] = [:]
  /// How many items to leave out at the beginning.
  public var start = 0
  /// How many items to return; servers return no more than 500.
  public var limit = 25
  /// The fields to return; none means the server's choice.
  public var fields: [String] = []

  /// A query for the newest 25 items.
  public init() {}

  var arguments: [String: JSONValue] {
    var arguments: [String: JSONValue] = [
      "sort": .string(sort), "start": .integer(Int64(start)), "limit": .integer(Int64(limit)),
    ]
    if !filters.isEmpty { arguments["filters"] = .object(filters) }
    if !fields.isEmpty { arguments["fields"] = .array(fields.map(JSONValue.string)) }
    return arguments
  }
}

/// One page of a list of media items.
public struct NewzuluFileList: Sendable, Hashable {
  /// How many items there are on all pages together.
  public let totalCount: Int
  /// The items of this page.
  public let files: [NewzuluFile]
}
