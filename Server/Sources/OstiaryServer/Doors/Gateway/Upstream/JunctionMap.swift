import Foundation
import HTTPTypes
import OstiaryCore

/// Translates the gateway's addresses into the upstream's, and back.
struct JunctionMap: Sendable {
  let junction: GatewayJunction
  let upstream: Origin
  /// The path that precedes every upstream path: empty, or `/base`.
  private let base: String
  /// The junction's path, which precedes every path here: empty, or `/app`.
  private let prefix: String

  init?(_ junction: GatewayJunction) {
    guard let upstream = Origin(junction.upstream) else { return nil }
    self.junction = junction
    self.upstream = upstream
    let path = junction.upstream.path(percentEncoded: true)
    base = path.hasByteSuffix("/") ? String(path.droppingLastBytes(1)) : path
    prefix = junction.path == "/" ? "" : junction.path
  }

  /// The upstream's address for a path and query, as they were sent.
  func url(for target: String) -> String {
    let path = target.bytePrefix(before: "?")
    let query = target.droppingBytes(path.utf8.count)
    var rest = path
    if path.hasBytePrefix(prefix) {
      rest = path.droppingBytes(prefix.utf8.count)
    } else {
      // The client sent the junction's path with an encoding.
      for _ in junction.segments {
        rest = rest.droppingBytes(1)
        rest = rest.droppingBytes(rest.bytePrefix(before: "/").utf8.count)
      }
    }
    return upstream.description + base + (rest.isEmpty ? "/" : rest) + query
  }

  /// The address that clients get for a redirect of the upstream.
  func location(_ text: String) -> String {
    var path = text[...]
    if let scheme = [upstream.scheme + "://", "//"].first(where: { text.lowercasedASCII.hasBytePrefix($0) }) {
      let authority = text.droppingBytes(scheme.utf8.count).bytePrefix(before: "/", "?", "#")
      guard Origin(scheme: upstream.scheme, authority: String(authority)) == upstream else { return text }
      path = text.droppingBytes(scheme.utf8.count + authority.utf8.count)
      if !path.hasBytePrefix("/") { return (prefix.isEmpty ? "/" : prefix + "/") + path }
    } else if !text.hasBytePrefix("/") {
      return text
    }
    path = withoutBase(path)
    return prefix + (path.isEmpty ? "/" : path)
  }

  /// A `Set-Cookie` for the path under which the upstream appears, and for this host.
  func cookie(_ line: String) -> String {
    let parts = line.byteParts(at: ";")
    let attributes = parts.dropFirst().compactMap { part -> String? in
      guard let (name, value) = part.byteHalves(at: "=") else { return String(part) }
      let (attribute, text) = (name.trimmingBlanks.lowercasedASCII, value.trimmingBlanks)
      if attribute == "path", text.hasBytePrefix("/") { return " Path=" + cookiePath(text) }
      let domain = text.hasBytePrefix(".") ? text.droppingBytes(1) : text
      if attribute == "domain", domain.lowercasedASCII.hasSameBytes(as: upstream.host) { return nil }
      return String(part)
    }
    return (parts.first.map { [String($0)] } ?? []).appending(attributes).joined(separator: ";")
  }

  /// A path of the upstream without the path that precedes all of them.
  private func withoutBase(_ path: Substring) -> Substring {
    guard !base.isEmpty, path.hasSameBytes(as: base) || path.hasBytePrefix(base + "/") else { return path }
    return path.droppingBytes(base.utf8.count)
  }

  private func cookiePath(_ path: Substring) -> String {
    var path = withoutBase(path)
    if path.isEmpty { path = "/" }
    return prefix.isEmpty ? String(path) : path.hasSameBytes(as: "/") ? prefix : prefix + path
  }
}

extension Array {
  fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}
