internal import Foundation

extension CookieJar {
  /// Takes over what became of another jar since `base`, of which this one is a later state, too. Where both changed a
  /// cookie, this jar's counts.
  ///
  /// A renewal takes a copy of the session's jar along; what other responses set meanwhile must not be lost with it.
  package mutating func takeOver(changesFrom base: CookieJar, to other: CookieJar) {
    guard other != base else { return }
    let before = base.byIdentity
    let here = byIdentity
    let there = other.byIdentity
    for (identity, cookie) in there where before[identity] != cookie && here[identity] == before[identity] {
      _ = place(cookie, now: .distantPast)
    }
    removeAll { cookie in
      let identity = Identity(cookie)
      return there[identity] == nil && before[identity] == cookie
    }
  }

  private var byIdentity: [Identity: Cookie] {
    Dictionary(buckets.flatMap(\.entries).map { (Identity($0.cookie), $0.cookie) }) { $1 }
  }

  /// What makes one cookie take another's place (RFC 6265bis §5.7), byte for byte.
  private struct Identity: Hashable {
    let name, domain, path: [UInt8]
    let isHostOnly: Bool

    init(_ cookie: Cookie) {
      name = Array(cookie.name.utf8)
      domain = Array(cookie.domain.utf8)
      path = Array(cookie.path.utf8)
      isHostOnly = cookie.isHostOnly
    }
  }
}
