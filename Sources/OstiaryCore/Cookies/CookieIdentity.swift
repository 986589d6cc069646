/// What makes one cookie take another's place (RFC 6265bis §5.7), byte for byte.
package struct CookieIdentity: Hashable, Sendable {
  private let name, domain, path: [UInt8]
  private let isHostOnly: Bool

  /// The identity of a cookie.
  package init(_ cookie: Cookie) {
    name = Array(cookie.name.utf8)
    domain = Array(cookie.domain.utf8)
    path = Array(cookie.path.utf8)
    isHostOnly = cookie.isHostOnly
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
