internal import Foundation

extension CookieJar {
  /// Puts a cookie into its place, or removes what it says to remove; clears away what is over; keeps the limits.
  /// - Parameters:
  ///   - isDeletion: whether the cookie says that the one in its place is to go.
  ///   - isProof: whether a cookie of a name carries the session.
  mutating func place(
    _ cookie: Cookie, at moment: Moment, isDeletion: Bool, isProof: (String) -> Bool
  ) -> SetCookieOutcome {
    removeOver(at: moment, isProof: isProof)
    guard isDeletion else { return put(cookie, isProof: isProof) }
    let (position, index) = find(cookie)
    guard let index else { return .ignored(.expired) }
    remove(index, from: position)
    return .removed
  }

  /// Puts a cookie into its place, and keeps the limits. The one way into a jar: what can't be read back from a store
  /// does not get in.
  mutating func put(_ cookie: Cookie, isProof: (String) -> Bool) -> SetCookieOutcome {
    guard cookie.problem == nil else { return .ignored(.unstorable) }
    let (position, index) = find(cookie)
    nextSerial &+= 1
    if cookie.expiresAt != nil { mayExpire = true }
    if let index {
      let old = buckets[position].entries[index].cookie
      var new = cookie
      new.createdAt = old.createdAt
      buckets[position].entries[index].cookie = new
      buckets[position].entries[index].lastSet = nextSerial
      buckets[position].entries[index].lastUse = nextSerial
      if !new.hasSameValue(as: old) { return .replaced(.values) }
      return .replaced(new.hasSameAttributes(as: old) ? .none : .attributes)
    }
    let entry = Entry(cookie: cookie, serial: nextSerial, lastSet: nextSerial, lastUse: nextSerial)
    let exists = position < buckets.count && buckets[position].domain.elementsEqual(cookie.domain.utf8)
    if !exists { buckets.insert(Bucket(domain: Array(cookie.domain.utf8), entries: []), at: position) }
    let place = buckets[position].entries.firstIndex { entry.isSent(before: $0) } ?? buckets[position].entries.endIndex
    buckets[position].entries.insert(entry, at: place)
    count += 1
    return makeRoom(in: position, for: nextSerial, isProof: isProof) ? .stored : .ignored(.noRoom)
  }

  /// Whether the jar has a cookie of the same identity.
  func contains(_ cookie: Cookie) -> Bool { find(cookie).index != nil }

  /// The bucket in which a cookie's domain is or would be, and the place of the cookie of the same identity in it.
  private func find(_ cookie: Cookie) -> (position: Int, index: Int?) {
    var domain = cookie.domain
    let (position, exists) = domain.withUTF8 { bytes in
      let position = firstBucket(notBefore: bytes[...])
      return (position, position < buckets.count && buckets[position].domain.elementsEqual(bytes))
    }
    return (position, exists ? buckets[position].entries.firstIndex { $0.cookie.isSameCookie(as: cookie) } : nil)
  }

  private mutating func remove(_ index: Int, from position: Int) {
    buckets[position].entries.remove(at: index)
    count -= 1
    if buckets[position].entries.isEmpty { buckets.remove(at: position) }
  }

  /// Evicts what exceeds the limits, in the order of RFC 6265bis §5.7, but never a cookie that is proof: then the newcomer
  /// goes. Returns whether the newcomer could stay.
  private mutating func makeRoom(in position: Int, for newcomer: UInt64, isProof: (String) -> Bool) -> Bool {
    if buckets[position].entries.count > Self.maximumCountPerDomain,
      let victim = leastUsed(in: [position], isProof: isProof, limit: Self.maximumCountPerDomain)
    {
      let isNewcomer = buckets[position].entries[victim.entry].serial == newcomer
      remove(victim.entry, from: victim.bucket)
      return !isNewcomer
    }
    guard count > Self.maximumCount else { return true }
    if let victim = leastUsed(in: buckets.indices, isProof: isProof, limit: 0) {
      let isNewcomer = buckets[victim.bucket].entries[victim.entry].serial == newcomer
      remove(victim.entry, from: victim.bucket)
      return !isNewcomer
    }
    if let index = buckets[position].entries.firstIndex(where: { $0.serial == newcomer }) {
      remove(index, from: position)
    }
    return false
  }

  /// The cookie that goes first: no proof, without `Secure` if there is such a one, least recently used.
  /// - Parameter limit: how many cookies that are no proof may stay.
  private func leastUsed(
    in positions: some Collection<Int>, isProof: (String) -> Bool, limit: Int
  ) -> (bucket: Int, entry: Int)? {
    var found: (bucket: Int, entry: Int)?
    var best = (secure: true, use: UInt64.max, set: UInt64.max)
    var candidates = 0
    for bucket in positions {
      for (index, entry) in buckets[bucket].entries.enumerated() where !isProof(entry.cookie.name) {
        candidates += 1
        let rank = (secure: entry.cookie.isSecure, use: entry.lastUse, set: entry.lastSet)
        let isFirst =
          rank.secure != best.secure ? !rank.secure : (rank.use, rank.set) < (best.use, best.set)
        if isFirst {
          best = rank
          found = (bucket, index)
        }
      }
    }
    return candidates > limit ? found : nil
  }
}
