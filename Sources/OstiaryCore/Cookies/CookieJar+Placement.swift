internal import Foundation

extension CookieJar {
  /// Puts a checked cookie into its place, or removes what it says to remove; clears away what has expired; keeps the
  /// limits.
  mutating func place(_ cookie: Cookie, now: Date) -> SetCookieOutcome {
    removeExpired(now: now)
    let (position, exists) = position(ofDomain: cookie.domain)
    let index = exists ? buckets[position].entries.firstIndex { $0.cookie.isSameCookie(as: cookie) } : nil

    if cookie.isExpired(at: now) {
      guard let index else { return .ignored(.expired) }
      remove(index, from: position)
      return .removed
    }
    nextSerial &+= 1
    if let expiry = cookie.expiresAt { firstExpiry = min(firstExpiry, expiry) }
    if let index {
      let old = buckets[position].entries[index].cookie
      var new = cookie
      new.createdAt = old.createdAt
      buckets[position].entries[index].cookie = new
      buckets[position].entries[index].lastSet = nextSerial
      if !new.hasSameValue(as: old) { return .replaced(.values) }
      return .replaced(new.hasSameAttributes(as: old) ? .none : .attributes)
    }
    let entry = Entry(cookie: cookie, serial: nextSerial, lastSet: nextSerial)
    if !exists { buckets.insert(Bucket(domain: Array(cookie.domain.utf8), entries: []), at: position) }
    let place = buckets[position].entries.firstIndex { entry.isSent(before: $0) } ?? buckets[position].entries.endIndex
    buckets[position].entries.insert(entry, at: place)
    count += 1
    return makeRoom(in: position, for: nextSerial) ? .stored : .ignored(.noRoom)
  }

  /// Where the bucket of a domain is or would be.
  private func position(ofDomain domain: String) -> (position: Int, exists: Bool) {
    var domain = domain
    return domain.withUTF8 { bytes in
      let position = firstBucket(notBefore: bytes[...])
      return (position, position < buckets.count && buckets[position].domain.elementsEqual(bytes))
    }
  }

  private mutating func remove(_ index: Int, from position: Int) {
    buckets[position].entries.remove(at: index)
    count -= 1
    if buckets[position].entries.isEmpty { buckets.remove(at: position) }
  }

  /// Evicts what exceeds the limits, in the order of RFC 6265bis §5.7. Returns whether the newcomer could stay.
  private mutating func makeRoom(in position: Int, for newcomer: UInt64) -> Bool {
    let entries = buckets[position].entries
    if entries.count > Self.maximumCountPerDomain {
      let candidates = entries.indices.filter { !entries[$0].cookie.isSecure }
      let victim = (candidates.isEmpty ? Array(entries.indices) : candidates)
        .min { entries[$0].lastSet < entries[$1].lastSet }
      guard let victim else { return true }
      let isNewcomer = entries[victim].serial == newcomer
      remove(victim, from: position)
      return !isNewcomer
    }
    if count > Self.maximumCount {
      var oldest = (bucket: 0, entry: 0, lastSet: UInt64.max)
      for (bucket, content) in buckets.enumerated() {
        for (entry, candidate) in content.entries.enumerated() where candidate.lastSet < oldest.lastSet {
          oldest = (bucket, entry, candidate.lastSet)
        }
      }
      remove(oldest.entry, from: oldest.bucket)
    }
    return true
  }
}
