package import OstiaryCore

#if canImport(FoundationNetworking)
  package import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension Cookie {
  /// The cookie of a Foundation storage.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for what no server could have set.
  package init(_ cookie: HTTPCookie, now: Date) throws {
    try self.init(
      name: cookie.name, value: Secret(cookie.value), domain: cookie.domain,
      isHostOnly: !cookie.domain.hasPrefix("."), path: cookie.path.hasPrefix("/") ? cookie.path : "/",
      expiresAt: cookie.expiresDate, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, createdAt: now)
  }
}

extension HTTPCookie {
  /// The cookie for a Foundation storage; `nil` for one that Foundation does not know, such as one without a name.
  package convenience init?(_ cookie: Cookie) {
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
