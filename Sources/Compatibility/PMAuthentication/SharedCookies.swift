package import Foundation
package import Ostiary
internal import OstiaryPega
internal import OstiaryURLSession
#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The bridge between a session's own cookies and a Foundation cookie storage.
///
/// The vendor's SDK shared `HTTPCookieStorage.shared` with the app, and apps rely on it in both directions: a POST of
/// their own signs in, and their own requests carry the session. Cookies with an empty value count as absent: Foundation
/// on Linux keeps them where a server has deleted them with `Max-Age=0`.
package struct SharedCookies: PegaCookieStorage {
  private let storage: HTTPCookieStorage

  /// Bridges a storage.
  package init(_ storage: HTTPCookieStorage) {
    self.storage = storage
  }

  /// The storage that an app's `URLSession.shared` uses.
  package static var shared: SharedCookies { SharedCookies(.shared) }

  package func cookies(ofHost host: String, now: Date) -> [Cookie] {
    all(ofHost: host).filter { !$0.value.isEmpty }.compactMap { try? Cookie($0, now: now) }
  }

  package func set(_ cookies: [Cookie], ofHost host: String) {
    for cookie in cookies where Self.covers(cookie.domain, host) { HTTPCookie(cookie).map(storage.setCookie) }
  }

  package func delete(_ cookies: [Cookie]) {
    for cookie in cookies { HTTPCookie(cookie).map(storage.deleteCookie) }
  }

  package func deleteCookies(ofHost host: String, where isDeleted: (String, String) -> Bool) {
    for cookie in all(ofHost: host) where isDeleted(cookie.name, cookie.path) { storage.deleteCookie(cookie) }
  }

  private func all(ofHost host: String) -> [HTTPCookie] {
    Self.only(storage.cookies ?? [], ofHost: host)
  }

  /// The cookies that go to a host.
  static func only(_ cookies: [HTTPCookie], ofHost host: String) -> [HTTPCookie] {
    cookies.filter { covers($0.domain, host) }
  }

  /// Whether a cookie of this domain goes to the host.
  private static func covers(_ domain: String, _ host: String) -> Bool {
    let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    return bare.lowercased() == host || (domain.hasPrefix(".") && host.hasSuffix("." + bare.lowercased()))
  }
}

extension SharedCookies: CustomStringConvertible, CustomReflectable {
  /// Nothing about the cookies: the description of Foundation's storage shows their values.
  package var description: String { "SharedCookies" }
  package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
