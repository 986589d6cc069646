/// Parts of a server, named by the beginnings of their paths.
struct PathPrefixes: Sendable, Hashable {
  private(set) var prefixes: [String]
  /// A server with more parts than that is taken for one.
  private static let limit = 64

  init(_ prefixes: [String]) {
    self.prefixes = []
    for prefix in prefixes where prefix.utf8.first == UInt8(ascii: "/") { add(prefix) }
  }

  /// All of a server.
  static let everything = PathPrefixes(["/"])

  /// Whether a request target is in one of the parts.
  ///
  /// A target with `.` or `..` segments is in none: where it leads is for the server to say.
  func contains(_ target: String?) -> Bool {
    let path = Self.path(target)
    guard prefixes.contains(where: { Self.is($0, aPrefixOf: path) }) else { return false }
    return prefixes == ["/"] || !Self.hasDotSegment(path)
  }

  /// Adds a part, unless it is in another one.
  mutating func add(_ prefix: String) {
    let path = Self.path(prefix)
    guard !prefixes.contains(where: { Self.is($0, aPrefixOf: path) }) else { return }
    prefixes.removeAll { Self.is(String(path), aPrefixOf: $0[...]) }
    prefixes.append(String(path))
    if prefixes.count > Self.limit { prefixes = ["/"] }
  }

  /// The folder of a request target, which its realm is assumed to cover (RFC 7617 §2.2): up to the last slash. `nil` for
  /// a target with `.` or `..` segments.
  static func folder(of target: String?) -> String? {
    let path = path(target)
    guard !hasDotSegment(path), let slash = path.lastIndex(of: "/") else { return nil }
    return String(path[...slash])
  }

  /// A target without its query.
  private static func path(_ target: String?) -> Substring {
    let path = (target ?? "/").prefix { $0 != "?" && $0 != "#" }
    return path.isEmpty ? "/" : path
  }

  /// Whether a path begins with another, at a slash.
  private static func `is`(_ prefix: String, aPrefixOf path: Substring) -> Bool {
    guard path.utf8.starts(with: prefix.utf8) else { return false }
    if prefix.utf8.last == UInt8(ascii: "/") { return true }
    let next = path.utf8.dropFirst(prefix.utf8.count).first
    return next == nil || next == UInt8(ascii: "/")
  }

  private static func hasDotSegment(_ path: Substring) -> Bool {
    path.split(separator: "/").contains { segment in
      // A server may decode before it looks.
      var dots = 0
      var rest = segment.utf8[...]
      while let byte = rest.first {
        if byte == UInt8(ascii: ".") {
          rest = rest.dropFirst()
        } else if rest.count >= 3, rest.starts(with: "%2".utf8), rest.dropFirst(2).first.map({ $0 | 0x20 }) == 0x65 {
          rest = rest.dropFirst(3)
        } else {
          return false
        }
        dots += 1
      }
      return dots == 1 || dots == 2
    }
  }
}
