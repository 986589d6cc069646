internal import HTTPTypes
internal import OstiaryCore

/// Which media types an `Accept` field allows (RFC 9110 §12.5.1), as far as telling pages from data goes. Asked for every
/// response, so it compares bytes and makes no strings.
enum MediaRange {
  /// Whether any of several fields allows a content type.
  static func anyAllows(_ fields: some Sequence<String>, _ type: String) -> Bool {
    let type = essence(type.utf8[...])
    return contains(fields) { range in
      if equal(range, type) || equal(range, "*/*".utf8[...]) { return true }
      guard range.count > 2, range.suffix(2).elementsEqual("/*".utf8) else { return false }
      let family = range.dropLast()
      return equal(family, type.prefix(family.count))
    }
  }

  /// Whether a request asks for pages in so many words; one that takes anything does not.
  static func asksForPage(_ request: HTTPRequest) -> Bool {
    contains(request.headerFields.values(of: .accept)) { range in
      equal(range, "text/html".utf8[...]) || equal(range, "application/xhtml+xml".utf8[...])
        || equal(range, "text/*".utf8[...])
    }
  }

  /// Whether a content type is a page's.
  static func isPage(_ type: String) -> Bool {
    let type = essence(type.utf8[...])
    return equal(type, "text/html".utf8[...]) || equal(type, "application/xhtml+xml".utf8[...])
  }

  private typealias Bytes = Substring.UTF8View

  /// Whether a condition holds for a range of a field.
  private static func contains(_ fields: some Sequence<String>, _ condition: (Bytes) -> Bool) -> Bool {
    for field in fields {
      var rest = field.utf8[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        if condition(essence(rest[..<end])) { return true }
        rest = rest[end...].dropFirst()
      }
    }
    return false
  }

  /// A media type without its parameters and the blanks around it.
  private static func essence(_ range: Bytes) -> Bytes {
    var range = range.prefix { $0 != UInt8(ascii: ";") }.drop { isBlank($0) }
    while let last = range.last, isBlank(last) { range = range.dropLast() }
    return range
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether both are the same. The case of ASCII letters does not count.
  private static func equal(_ one: Bytes, _ other: Bytes) -> Bool {
    one.count == other.count && one.elementsEqual(other, by: { lowercased($0) == lowercased($1) })
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}

extension HTTPFields {
  /// The values of a field, one by one. Looking is quicker than having all fields put into an index first.
  func values(of name: HTTPField.Name) -> some Sequence<String> {
    lazy.filter { $0.name == name }.map(\.value)
  }
}

extension HTTPResponse {
  /// Whether the body is a page.
  var isPage: Bool { headerFields.values(of: .contentType).first { _ in true }.map(MediaRange.isPage) ?? false }
}
