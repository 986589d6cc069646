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
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .malformed }
    var parser = JSONParser(bytes, maximumDepth: maximumDepth)
    let value = parser.parse()
    guard parser.repeated == nil else { throw .repeatedName }
    guard let members = value?.object else { throw parser.isTooDeep ? .tooDeep : .malformed }
    return members
  }
}
