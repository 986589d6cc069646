internal import Foundation
internal import Ostiary
internal import OstiaryURLSession
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The cookies of a client and one server: one jar for resource requests and login forms alike, as the vendor's SDK had
/// it, and a Foundation storage in which the app sees them and may change them.
///
/// The jar follows RFC 6265bis and is what counts. The storage is read before each exchange and written after it.
actor ClientCookies {
  /// Where the app finds the cookies.
  nonisolated let storage: HTTPCookieStorage

  private(set) var jar = CookieJar()
  /// What the storage holds as far as it is known here.
  private var shown: [CookiePlace: CookieMark] = [:]
  /// Counts login forms that changed cookies. What other responses say about the time before is then out of date.
  private var forms = 0
  private var changes = 0

  // What rests, and how far that is known here: see `ClientCookies+Rest.swift`.

  nonisolated let rest: CookieRest?
  var reading: SharedWork<CookieRest.Content>?
  var isAwake = false
  /// What is at rest, as it was last read or written here.
  var resting = CookieRest.Content()
  /// Each write waits for the one before.
  let writes = AsyncSerialQueue()
  /// Whether something is still to be written.
  var isOwed = false
  /// Set when the server was changed: the results of exchanges still under way are then ignored.
  var isDropped = false
  /// Whether what was dropped is gone at rest, too.
  var isForgotten = false

  /// Makes an empty jar, or the one that is at rest.
  init(restingIn rest: CookieRest? = nil) {
    // An ephemeral configuration has a storage of its own, in memory.
    storage =
      URLSessionConfiguration.ephemeral.httpCookieStorage
      ?? .sharedCookieStorage(forGroupContainerIdentifier: UUID().uuidString)
    self.rest = rest
  }

  /// The jar before an exchange.
  struct Snapshot: Sendable {
    var jar: CookieJar
    fileprivate let forms: Int
  }

  /// The cookies now, with what the app has changed.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when those at rest can't be read now.
  func snapshot(at now: Date) async throws -> Snapshot {
    try await wake(now)
    absorb(now)
    if isOwed { await write(now) }
    return Snapshot(jar: jar, forms: forms)
  }

  /// A number that changes whenever a cookie does.
  func revision(at now: Date) async -> Int {
    // What can't be read does not change.
    try? await wake(now)
    absorb(now)
    return changes
  }

  /// Takes over what an exchange has set and removed.
  ///
  /// A response on its way while a login form was answered tells of the session before: it sets and removes only the
  /// cookies that no other response has changed meanwhile. Otherwise the last word counts; what is removed is what the
  /// exchange had seen. A cookie that expired during the exchange was not removed by it: another response may have
  /// extended it.
  func takeOver(from before: Snapshot, to after: CookieJar, isForm: Bool, at now: Date) async {
    guard before.jar != after, !isDropped else { return }
    let isLastWord = isForm || forms == before.forms
    let hasChanged = change(at: now) { jar in
      guard isLastWord else { return jar.takeOver(changesFrom: before.jar, to: after) }
      let known = before.jar.cookies
      let left = Set(after.cookies.map(CookiePlace.init))
      let removed = known.filter { !left.contains(CookiePlace($0)) && !$0.isExpired(at: now) }
      jar.removeAll { cookie in
        removed.contains { CookiePlace($0) == CookiePlace(cookie) && $0.value == cookie.value }
      }
      for cookie in after.cookies where !known.contains(cookie) { jar.insert(cookie, now: now) }
    }
    guard hasChanged else { return }
    if isForm { forms += 1 }
    await write(now)
  }

  /// Changes the jar, and shows the app what has changed.
  /// - Returns: Whether anything has.
  @discardableResult
  func change(at now: Date, _ body: (inout CookieJar) -> Void) -> Bool {
    let old = jar
    body(&jar)
    guard jar != old else { return false }
    changes += 1
    show(now)
    return true
  }

  // MARK: The storage

  /// Takes in what the app has put into the storage, and takes out what it has deleted there.
  private func absorb(_ now: Date) {
    var held: [CookiePlace: HTTPCookie] = [:]
    for cookie in storage.cookies ?? [] { held[CookiePlace(cookie)] = cookie }
    let old = jar
    for (place, mark) in shown where held[place] == nil {
      shown[place] = nil
      // The storage drops what has expired, by the system's clock. All else was the app.
      let isExpired = mark.expiresAt.map { $0 <= now || $0 <= Date() } ?? false
      if !isExpired { jar.removeAll { CookiePlace($0) == place } }
    }
    for (place, cookie) in held where shown[place] != CookieMark(cookie) {
      shown[place] = CookieMark(cookie)
      if let cookie = try? Cookie(cookie, now: now) { jar.insert(cookie, now: now) }
    }
    guard jar != old else { return }
    changes += 1
    isOwed = true
  }

  /// Writes into the storage what has changed.
  private func show(_ now: Date) {
    var wanted: [CookiePlace: HTTPCookie] = [:]
    for cookie in jar.cookies where !cookie.isExpired(at: now) {
      if let cookie = HTTPCookie(cookie) { wanted[CookiePlace(cookie)] = cookie }
    }
    let gone = Set(shown.keys).subtracting(wanted.keys)
    if !gone.isEmpty {
      for cookie in storage.cookies ?? [] where gone.contains(CookiePlace(cookie)) { storage.deleteCookie(cookie) }
    }
    for (place, cookie) in wanted where shown[place] != CookieMark(cookie) { storage.setCookie(cookie) }
    shown = wanted.mapValues(CookieMark.init)
  }
}
