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
