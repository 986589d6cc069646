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
