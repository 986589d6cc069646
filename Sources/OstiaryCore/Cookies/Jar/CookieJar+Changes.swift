internal import Foundation

extension CookieJar {
  /// Takes over what became of another jar since `base`, of which this one is a later state, too. Where both changed a
  /// cookie, this jar's counts.
  ///
  /// A renewal takes a copy of the session's jar along; what other responses set meanwhile must not be lost with it.
  /// - Parameter isProof: whether a cookie of a name carries the session; one that does is never evicted.
  package mutating func takeOver(
    changesFrom base: CookieJar, to other: CookieJar, isProof: (String) -> Bool = { _ in true }
  ) {
    guard other != base else { return }
    let before = base.byIdentity
    let here = byIdentity
    let there = other.byIdentity
    for (identity, cookie) in there where before[identity] != cookie && here[identity] == before[identity] {
      _ = put(cookie, isProof: isProof)
    }
    removeAll { cookie in
      let identity = CookieIdentity(cookie)
      return there[identity] == nil && before[identity] == cookie
    }
  }
}

extension CookieJar {
  /// The cookies by their identities.
  package var byIdentity: [CookieIdentity: Cookie] {
    Dictionary(buckets.flatMap(\.entries).map { (CookieIdentity($0.cookie), $0.cookie) }) { $1 }
  }

  /// Whether the cookies of some names have the same values here as in another jar, byte for byte. Dates don't count.
  /// - Parameter isIncluded: whether cookies of a name are compared.
  package func hasSameValues(as other: CookieJar, where isIncluded: (String) -> Bool) -> Bool {
    let here = byIdentity.filter { isIncluded($0.value.name) }
    let there = other.byIdentity.filter { isIncluded($0.value.name) }
    return here.count == there.count && here.allSatisfy { there[$0.key]?.hasSameValue(as: $0.value) == true }
  }
}
