package import Foundation

extension CookieJar {
  /// Removes the cookies that a condition holds for.
  /// - Returns: how many there were.
  @discardableResult
  public mutating func removeAll(where shouldRemove: (Cookie) throws -> Bool) rethrows -> Int {
    // Most calls remove nothing: look first, so that a shared jar is not copied for that.
    guard try buckets.contains(where: { try $0.entries.contains { try shouldRemove($0.cookie) } }) else { return 0 }
    var kept = buckets
    for index in kept.indices {
      try kept[index].entries.removeAll { try shouldRemove($0.cookie) }
    }
    kept.removeAll(where: \.entries.isEmpty)
    let before = count
    buckets = kept
    count = kept.reduce(0) { $0 + $1.entries.count }
    return before - count
  }

  /// Removes the cookies of these names that `host` could be sent, with any path, the host's own and a parent domain's.
  /// A session cookie set twice with different paths is the classic reason for being signed in and out at random.
  /// - Returns: how many there were.
  @discardableResult
  package mutating func removeAll(named names: Set<String>, host: String) -> Int {
    let host = ASCII.lowercased(host.utf8)
    return removeAll { names.contains($0.name) && $0.belongs(to: host) }
  }

  /// Removes every cookie that `host` could be sent.
  /// - Returns: how many there were.
  @discardableResult
  package mutating func removeAll(host: String) -> Int {
    let host = ASCII.lowercased(host.utf8)
    return removeAll { $0.belongs(to: host) }
  }

  /// Removes what has expired by the wall clock.
  /// - Returns: how many there were.
  @discardableResult
  package mutating func removeExpired(now: Date) -> Int {
    removeOver(at: Moment(wall: now), isProof: { _ in false })
  }

  /// Removes what is over: what is proof only when that is certain.
  @discardableResult
  package mutating func removeOver(at moment: Moment, isProof: (String) -> Bool) -> Int {
    guard mayExpire else { return 0 }
    let removed = removeAll { $0.isOver(at: moment, isProof: isProof) }
    mayExpire = buckets.contains { $0.entries.contains { $0.cookie.expiresAt != nil } }
    return removed
  }
}

extension Cookie {
  /// Whether some request to `host`, in lower case, carries this cookie.
  fileprivate func belongs(to host: String) -> Bool {
    isHostOnly ? domain.hasSameBytes(as: host) : CookieHost.domainMatches(host, domain)
  }
}
