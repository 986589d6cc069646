package import Foundation
package import OstiaryCore

/// A cookie storage that an app and its Pega sessions use together. It is read before work, written after a sign-in, and
/// cleared at log-off.
package protocol PegaCookieStorage: Sendable {
  /// The cookies that go to a host.
  func cookies(ofHost host: String, now: Date) -> [Cookie]
  /// Puts in cookies that go to a host, and no others.
  func set(_ cookies: [Cookie], ofHost host: String)
  /// Takes out cookies.
  func delete(_ cookies: [Cookie])
  /// Takes out the cookies of a host by name and path, also those that are none by RFC 6265.
  func deleteCookies(ofHost host: String, where isDeleted: (_ name: String, _ path: String) -> Bool)
}

extension PegaEnvironment {
  /// The shared cookies that belong to a server's host.
  package func sharedCookies(of server: PegaAddress) -> CookieJar {
    var jar = CookieJar()
    for cookie in cookies.cookies(ofHost: server.origin.host, now: clock.now) { _ = jar.insert(cookie, now: clock.now) }
    return jar
  }

  /// Puts in a session's cookies, in place of those of a previous session.
  /// - Parameter before: what was read of the previous session; with another one by now, nothing is changed.
  func share(_ jar: CookieJar, inPlaceOf before: CookieJar? = nil, for server: PegaAddress) {
    guard before.map({ sharesSession(of: $0, for: server) }) ?? true else { return }
    clearSharedCookies(of: server)
    cookies.set(jar.cookies.filter { !$0.isExpired(at: clock.now) }, ofHost: server.origin.host)
  }

  /// Puts in what an exchange changed: the cookies that it set or deleted, and no others.
  ///
  /// Changes nothing if the storage holds another session by now: the cookies that came belong to a session that was
  /// logged off.
  /// - Parameters:
  ///   - before: what was read when the exchange began.
  ///   - after: the same with the cookies that came.
  package func shareChanges(from before: CookieJar, to after: CookieJar, for server: PegaAddress) {
    guard sharesSession(of: before, for: server) else { return }
    cookies.delete(before.cookies.filter { old in !after.cookies.contains { $0.hasPlace(of: old) } })
    cookies.set(after.cookies.filter { !before.cookies.contains($0) }, ofHost: server.origin.host)
  }

  /// Removes the cookies of the current or a previous session: by name over every path of the host, those of the
  /// application container only where they go to the Pega server.
  func clearSharedCookies(of server: PegaAddress) {
    cookies.deleteCookies(ofHost: server.origin.host) { name, path in
      configuration.sessionCookieNames.contains(name)
        || (configuration.containerCookieNames.contains(name) && Self.path(path, leadsInto: server.contextPath))
    }
  }

  /// The values of a jar's session cookies.
  func sessionValues(_ jar: CookieJar?) -> Set<Secret> {
    Set((jar?.cookies ?? []).filter { configuration.sessionCookieNames.contains($0.name) }.map(\.value))
  }

  /// Whether the shared session is still the one that was read.
  private func sharesSession(of before: CookieJar, for server: PegaAddress) -> Bool {
    sessionValues(sharedCookies(of: server)) == sessionValues(before)
  }

  /// Whether a cookie of this path goes to the context, or to something in it.
  private static func path(_ path: String, leadsInto context: String) -> Bool {
    let path = path.hasSuffix("/") ? path : path + "/"
    let context = context + "/"
    return context.hasPrefix(path) || path.hasPrefix(context)
  }
}

extension Cookie {
  /// Whether one of the two would replace the other in a storage.
  fileprivate func hasPlace(of other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
  }
}
