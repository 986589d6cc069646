package import HTTPTypes

extension HTTPRequest {
  /// Whether the request's path is `prefix` or lies below it, segment by segment. A path with dot segments, which servers
  /// resolve in their own ways (RFC 3986 §5.2.4), lies below nothing but the root. Asked for every request: it reads bytes
  /// in place and allocates nothing.
  /// - Parameter prefix: a path without a slash at its end; empty for the root.
  package func isBelow(_ prefix: String) -> Bool {
    if prefix.isEmpty { return true }
    guard let path = path?.utf8.prefix(while: { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }),
      path.starts(with: prefix.utf8)
    else { return false }
    switch path.dropFirst(prefix.utf8.count).first {
    case nil, UInt8(ascii: "/"), UInt8(ascii: ";"): return !Self.hasDotSegment(path)
    default: return false
    }
  }

  /// Whether a segment is `.` or `..`, also percent-encoded and with parameters.
  private static func hasDotSegment(_ path: Substring.UTF8View) -> Bool {
    // How many dots the segment has so far; `nil` when it has anything else.
    var dots: Int? = nil
    var rest = path
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "/"):
        if let dots, dots > 0 { return true }
        dots = 0
      case UInt8(ascii: ";"):
        if let dots, dots > 0 { return true }
        dots = nil
      case UInt8(ascii: "."):
        dots = dots.map { $0 + 1 }
      case UInt8(ascii: "%") where rest.starts(with: "2e".utf8) || rest.starts(with: "2E".utf8):
        rest = rest.dropFirst(2)
        dots = dots.map { $0 + 1 }
      default:
        dots = nil
      }
    }
    return dots.map { $0 > 0 } ?? false
  }
}
