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

/// What changes when a server or the app sets a cookie again: its value, or its date alone.
struct CookieMark: Sendable, Equatable {
  let value: Secret
  let expiresAt: Date?

  init(_ cookie: Cookie) {
    value = cookie.value
    expiresAt = cookie.expiresAt
  }

  init(_ cookie: HTTPCookie) {
    value = Secret(cookie.value)
    expiresAt = cookie.expiresDate
  }

  /// Dates within a second of each other are the same: storages round them.
  static func == (lhs: CookieMark, rhs: CookieMark) -> Bool {
    guard lhs.value == rhs.value else { return false }
    guard let left = lhs.expiresAt, let right = rhs.expiresAt else { return lhs.expiresAt == rhs.expiresAt }
    return abs(left.timeIntervalSince(right)) < 1
  }
}
