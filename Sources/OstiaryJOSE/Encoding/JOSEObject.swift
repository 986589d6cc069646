internal import OstiaryCore

/// Reads the JSON objects of tokens and keys.
enum JOSEObject {
  /// How deep arrays and objects may be nested.
  static let maximumDepth = 32

  /// The members of an object. A name that stands twice in an object, at any level, is refused.
  static func read(_ bytes: [UInt8], _ what: String, source: String) throws(JOSEError) -> [String: JSONValue] {
    try members(bytes, what, source: source).dictionary
  }

  /// The members of an object of which a few are asked for, read as ``read(_:_:source:)`` reads them.
  static func members(_ bytes: [UInt8], _ what: String, source: String) throws(JOSEError) -> StrictJSON.Members {
    do {
      return try StrictJSON.members(bytes, maximumDepth: maximumDepth)
    } catch {
      switch error {
      case .repeatedName:
        throw JOSEError(.repeatedMember, "\(what) has two members of one name.", source: "RFC 7515 §4, RFC 7519 §4")
      case .malformed: throw JOSEError(.malformed, "\(what) is not a JSON object.", source: source)
      case .tooDeep: throw JOSEError(.malformed, "\(what) is nested too deep.", source: source)
      }
    }
  }
}

extension [String: JSONValue] {
  /// A member that is a text or absent.
  func text(_ name: String, _ source: String) throws(JOSEError) -> String? {
    switch self[name] {
    case nil: nil
    case .string(let text)?: text
    default: throw JOSEError(.malformed, "A member that has to be a text is none.", source: source)
    }
  }
}
