/// Reads JSON objects that every reader understands in the same way: each name stands once in its object (RFC 8259 §4),
/// and no byte order mark comes first (§8.1).
///
/// ``JSONValue/init(json:)`` keeps the first of two members of one name, and other readers keep the last. What is signed must
/// not mean one thing to the program that verified it and another to the next.
package enum StrictJSON {
  /// Why a text is not read.
  package enum Failure: Error, Sendable {
    /// The text is not one JSON object.
    case malformed
    /// Arrays and objects are nested too deep.
    case tooDeep
    /// An object, at any level, has two members of one name.
    case repeatedName
  }

  /// The members of one object.
  /// - Parameters:
  ///   - bytes: the text, in UTF-8.
  ///   - maximumDepth: how deep arrays and objects may be nested, the object itself included.
  package static func object(
    _ bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth
  ) throws(Failure) -> [String: JSONValue] {
    try members(bytes, maximumDepth: maximumDepth).dictionary
  }

  /// The members of one object, of which a few are asked for.
  /// - Parameters:
  ///   - bytes: the text, in UTF-8.
  ///   - maximumDepth: how deep arrays and objects may be nested, the object itself included.
  package static func members(
    _ bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth
  ) throws(Failure) -> Members {
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .malformed }
    var parser = JSONParser(bytes, maximumDepth: maximumDepth, keepsMembers: true)
    let value = parser.parse()
    guard parser.repeated == nil else { throw .repeatedName }
    guard value?.object != nil else { throw parser.isTooDeep ? .tooDeep : .malformed }
    return parser.members
  }

  /// The members of an object: a list where they are few, which takes less work to make than a table does.
  package struct Members: Sendable {
    private let names: [String]
    private let values: [JSONValue]
    /// Where they are many.
    private let table: [String: JSONValue]?

    /// No members.
    init() { (names, values, table) = ([], [], nil) }

    init(names: [String], values: [JSONValue]) { (self.names, self.values, table) = (names, values, nil) }

    init(_ table: [String: JSONValue]) { (names, values, self.table) = ([], [], table) }

    /// A member; `nil` where there is none of this name.
    package subscript(name: String) -> JSONValue? {
      if let table { return table[name] }
      return names.firstIndex(of: name).map { values[$0] }
    }

    /// All of them.
    package var dictionary: [String: JSONValue] {
      if let table { return table }
      var members = [String: JSONValue](minimumCapacity: names.count)
      for (name, value) in zip(names, values) { members[name] = value }
      return members
    }
  }
}
