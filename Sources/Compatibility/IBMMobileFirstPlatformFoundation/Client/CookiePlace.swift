internal import Foundation
internal import Ostiary
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What makes one cookie take another's place, in a jar as in a Foundation storage.
struct CookiePlace: Hashable, Sendable {
  private let name: String
  private let domain: String
  private let path: String

  init(_ cookie: Cookie) {
    name = cookie.name
    domain = cookie.isHostOnly ? cookie.domain : "." + cookie.domain
    path = cookie.path
  }

  init(_ cookie: HTTPCookie) {
    name = cookie.name
    domain = cookie.domain.lowercased()
    path = cookie.path
  }
}

extension Cookie {
  /// The cookie of a Foundation storage.
  /// - Throws: ``OstiaryError`` `invalidInput` for what no server could have set.
  init(_ cookie: HTTPCookie, now: Date) throws {
    try self.init(
      name: cookie.name, value: Secret(cookie.value), domain: cookie.domain,
      isHostOnly: !cookie.domain.hasPrefix("."), path: cookie.path.hasPrefix("/") ? cookie.path : "/",
      expiresAt: cookie.expiresDate, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, createdAt: now)
  }
}

extension HTTPCookie {
  /// The cookie for a Foundation storage; `nil` for one that Foundation does not know, such as one without a name.
  convenience init?(_ cookie: Cookie) {
    var properties: [HTTPCookiePropertyKey: Any] = [
      .name: cookie.name,
      .value: cookie.value.reveal(),
      .domain: cookie.isHostOnly ? cookie.domain : "." + cookie.domain,
      .path: cookie.path,
    ]
    if cookie.isSecure { properties[.secure] = "TRUE" }
    if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
    if let expiresAt = cookie.expiresAt {
      properties[.expires] = expiresAt
    } else {
      properties[.discard] = "TRUE"
    }
    self.init(properties: properties)
  }
}
