package import Foundation
internal import HTTPTypes
package import Ostiary
package import OstiaryPega
internal import OstiaryURLSession
#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The bridge between a session's own cookies and a Foundation cookie storage.
///
/// The vendor's SDK shared `HTTPCookieStorage.shared` with the app, and apps rely on it in both directions: a POST of
/// their own signs in, and their own requests carry the session. Here alone, that storage is read before work, written
/// after a login, and cleared at log-off. Cookies with an empty value count as absent: Foundation on Linux keeps them
/// where a server has deleted them with `Max-Age=0`.
package struct SharedCookies: Sendable {
  private let storage: HTTPCookieStorage

  /// Bridges a storage.
  package init(_ storage: HTTPCookieStorage) {
    self.storage = storage
  }

  /// The storage that an app's `URLSession.shared` uses.
  package static var shared: SharedCookies { SharedCookies(.shared) }

  /// The cookies that belong to a server's host.
  package func read(for server: PegaAddress, now: Date) -> CookieJar {
    var jar = CookieJar()
    for cookie in cookies(of: server) where !cookie.value.isEmpty {
      guard let cookie = try? Cookie(cookie, now: now) else { continue }
      _ = jar.insert(cookie, now: now)
    }
    return jar
  }

  /// Puts in a session's cookies, in place of those of a previous session.
  package func write(_ jar: CookieJar, for server: PegaAddress, configuration: PegaConfiguration, now: Date) {
    clear(for: server, configuration: configuration)
    for cookie in jar.cookies where !cookie.isExpired(at: now) && Self.covers(cookie.domain, server.origin.host) {
      if let cookie = HTTPCookie(cookie) { storage.setCookie(cookie) }
    }
  }

  /// Puts in what an exchange changed: the cookies that it set or deleted, and no others.
  ///
  /// Changes nothing if the storage holds another session by now: the cookies that came belong to a session that was
  /// logged off.
  /// - Parameters:
  ///   - before: what was read when the exchange began.
  ///   - after: the same with the cookies that came.
  package func update(
    from before: CookieJar, to after: CookieJar, for server: PegaAddress, configuration: PegaConfiguration, now: Date
  ) {
    let names = configuration.sessionCookieNames
    guard read(for: server, now: now).values(named: names) == before.values(named: names) else { return }
    let (old, new) = (before.cookies, after.cookies)
    for cookie in old where !new.contains(where: { $0.hasPlace(of: cookie) }) {
      if let cookie = HTTPCookie(cookie) { storage.deleteCookie(cookie) }
    }
    for cookie in new where !old.contains(cookie) && Self.covers(cookie.domain, server.origin.host) {
      if let cookie = HTTPCookie(cookie) { storage.setCookie(cookie) }
    }
  }

  /// Removes the cookies of the current or a previous session: by name over every path of the host, those of the
  /// application container only where they go to the Pega server.
  package func clear(for server: PegaAddress, configuration: PegaConfiguration) {
    for cookie in cookies(of: server) {
      let isSession = configuration.sessionCookieNames.contains(cookie.name)
      let isContainer = configuration.containerCookieNames.contains(cookie.name)
      if isSession || (isContainer && Self.path(cookie.path, leadsInto: server.contextPath)) {
        storage.deleteCookie(cookie)
      }
    }
  }

  private func cookies(of server: PegaAddress) -> [HTTPCookie] {
    (storage.cookies ?? []).filter { Self.covers($0.domain, server.origin.host) }
  }

  /// Whether a cookie of this domain goes to the host.
  private static func covers(_ domain: String, _ host: String) -> Bool {
    let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    return bare.lowercased() == host || (domain.hasPrefix(".") && host.hasSuffix("." + bare.lowercased()))
  }

  /// Whether a cookie of this path goes to the context, or to something in it.
  private static func path(_ path: String, leadsInto context: String) -> Bool {
    let path = path.hasSuffix("/") ? path : path + "/"
    let context = context + "/"
    return context.hasPrefix(path) || path.hasPrefix(context)
  }
}

extension SharedCookies: CustomStringConvertible, CustomReflectable {
  /// Nothing about the cookies: the description of Foundation's storage shows their values.
  package var description: String { "SharedCookies" }
  package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension CookieJar {
  /// The values of all cookies of these names.
  func values(named names: Set<String>) -> Set<Secret> {
    Set(cookies.filter { names.contains($0.name) }.map(\.value))
  }
}

extension Cookie {
  /// Whether one of the two would replace the other in a storage.
  fileprivate func hasPlace(of other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
  }
}
