import OstiaryCore

/// An address to go to after signing in: one of the allowed origins and a path, without any text that a parser could
/// take for another host.
struct ReturnTarget: Hashable, Sendable {
  private static let mostBytes = 2048

  let origin: Origin
  /// The path and the query, encoded.
  let path: String

  var url: String { origin.description + path }

  /// A path on an origin, as a request named it; nil if it is doubtful.
  init?(_ origin: Origin, path: String) {
    guard Self.isSafe(path) else { return nil }
    self.origin = origin
    self.path = path
  }

  /// Reads a path on `origin`, or an absolute address on one of the `allowed` origins.
  init?(_ text: String, origin: Origin, allowed: Set<Origin>) {
    if text.utf8.first == UInt8(ascii: "/") {
      self.init(origin, path: text)
      return
    }
    guard let scheme = ["https", "http"].first(where: { text.utf8.starts(with: ($0 + "://").utf8) }) else { return nil }
    let rest = text.droppingBytes(scheme.utf8.count + 3)
    let authority = rest.bytePrefix(before: "/")
    guard Self.isPrintable(authority), let named = Origin(scheme: scheme, authority: String(authority)),
      allowed.contains(named)
    else { return nil }
    let path = rest.droppingBytes(authority.utf8.count)
    self.init(named, path: path.isEmpty ? "/" : String(path))
  }

  /// A path that begins with one slash and has no text that browsers drop, reorder or resolve.
  private static func isSafe(_ path: String) -> Bool {
    guard path.utf8.count <= mostBytes, isPrintable(path[...]), path.utf8.first == UInt8(ascii: "/") else {
      return false
    }
    let start = path.droppingBytes(1).lowercasedASCII
    guard !start.hasBytePrefix("/"), !start.hasBytePrefix("%2f"), !start.hasBytePrefix("%5c") else { return false }
    return PathParts(String(path.bytePrefix(before: "?"))) != nil
  }

  private static func isPrintable(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
  }
}
