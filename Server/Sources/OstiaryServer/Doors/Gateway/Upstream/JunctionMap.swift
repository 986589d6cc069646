import Foundation
import HTTPTypes
import OstiaryCore

/// Turns addresses before the gateway into those behind it, and back.
struct JunctionMap: Sendable {
  let junction: GatewayJunction
  let upstream: Origin
  /// The path before every upstream path: empty, or `/base`.
  private let base: String
  /// The junction's path before every path here: empty, or `/app`.
  private let prefix: String

  init?(_ junction: GatewayJunction) {
    guard let upstream = Origin(junction.upstream) else { return nil }
    self.junction = junction
    self.upstream = upstream
    let path = junction.upstream.path(percentEncoded: true)
    base = path.hasSuffix("/") ? String(path.dropLast()) : path
    prefix = junction.path == "/" ? "" : junction.path
  }

  /// The upstream's address for a path and query, as they were sent.
  func url(for target: String) -> String {
    let query = target.firstIndex(of: "?").map { target[$0...] } ?? ""
    let path = target.prefix { $0 != "?" }
    var rest = path
    if path.hasPrefix(prefix) {
      rest = path.dropFirst(prefix.count)
    } else {
      // The junction's own path was sent with an encoding.
      for _ in junction.segments { rest = rest.dropFirst().drop { $0 != "/" } }
    }
    return upstream.description + base + (rest.isEmpty ? "/" : rest) + query
  }

  /// What clients are told instead of an address that the upstream sends them to.
  func location(_ text: String) -> String {
    var path = text[...]
    if let scheme = [upstream.scheme + "://", "//"].first(where: { text.lowercased().hasPrefix($0) }) {
      let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
      guard Origin(scheme: upstream.scheme, authority: String(authority)) == upstream else { return text }
      path = text.dropFirst(scheme.count + authority.count)
      if path.first != "/" { return (prefix.isEmpty ? "/" : prefix + "/") + path }
    } else if !text.hasPrefix("/") {
      return text
    }
    if !base.isEmpty, path == base || path.hasPrefix(base + "/") { path = path.dropFirst(base.count) }
    return prefix + (path.isEmpty ? "/" : path)
  }

  /// A `Set-Cookie` for the path under which the upstream appears, and for this host.
  func cookie(_ line: String) -> String {
    let parts = line.split(separator: ";", omittingEmptySubsequences: false)
    let attributes = parts.dropFirst().compactMap { part -> String? in
      let pair = part.trimmingBlanks
      let name = pair.prefix { $0 != "=" }.trimmingBlanks.lowercased()
      let value = String(pair.dropFirst(pair.prefix { $0 != "=" }.count + 1).trimmingBlanks)
      switch name {
      case "path" where value.hasPrefix("/"): return " Path=" + cookiePath(value)
      case "domain" where value.lowercased().drop(while: { $0 == "." }) == upstream.host: return nil
      default: return String(part)
      }
    }
    return (parts.first.map { [String($0)] } ?? []).appending(attributes).joined(separator: ";")
  }

  private func cookiePath(_ path: String) -> String {
    var path = path[...]
    if !base.isEmpty, path == base || path.hasPrefix(base + "/") { path = path.dropFirst(base.count) }
    if path.isEmpty { path = "/" }
    return prefix.isEmpty ? String(path) : path == "/" ? prefix : prefix + path
  }
}

extension Array {
  fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}
