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
