package import Ostiary
package import OstiaryPega
internal import OstiaryURLSession

#if canImport(FoundationNetworking)
  internal import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// What a web view's own cookies have to become before it loads a page of a server.
package struct WebViewCookies {
  /// Those to take out: of a session that has been logged off, for example.
  package let stale: [HTTPCookie]
  /// Those to put in.
  package let given: [HTTPCookie]
  /// The same as those to put in.
  package let jar: CookieJar
}

extension PegaEnvironment {
  /// What a web view's own cookies have to become.
  /// - Parameter web: the web view's cookies.
  package func cookies(forWebViewOf server: PegaAddress, having web: [HTTPCookie]) -> WebViewCookies {
    let jar = sharedCookies(of: server)
    let given = jar.cookies.compactMap(HTTPCookie.init)
    let names = configuration.sessionCookieNames.union(configuration.containerCookieNames)
    let stale = SharedCookies.only(web, ofHost: server.origin.host).filter { old in
      names.contains(old.name)
        && !given.contains { ($0.name, $0.domain, $0.path, $0.value) == (old.name, old.domain, old.path, old.value) }
    }
    return WebViewCookies(stale: stale, given: given, jar: jar)
  }

  /// Leaves for the app's own requests what has become of a web view's cookies. Changes nothing when the shared session is another by now.
  /// - Parameters:
  ///   - web: the web view's cookies.
  ///   - before: what the web view was given, or had when this was last called.
  /// - Returns: the web view's cookies of this server.
  package func share(_ web: [HTTPCookie], since before: CookieJar, for server: PegaAddress) -> CookieJar {
    var jar = CookieJar()
    for cookie in SharedCookies.only(web, ofHost: server.origin.host) where !cookie.value.isEmpty {
      if let cookie = try? Cookie(cookie, now: clock.now) { _ = jar.insert(cookie, now: clock.now) }
    }
    shareChanges(from: before, to: jar, for: server)
    return jar
  }
}
