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

  private var jar = CookieJar()
  /// What the storage holds as far as it is known here.
  private var shown: [CookiePlace: String] = [:]
  /// Counts login forms that changed cookies. What other responses say about the time before is then out of date.
  private var forms = 0
  private var changes = 0
  /// Set when the server was changed: what is still under way then belongs to nobody.
  private var isDropped = false
  private let rest: CookieRest?
  private var reading: Task<CookieJar, Never>?
  private var isAwake = false
  /// The last write. Each waits for the one before.
  private var writing: Task<Void, Never>?

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
  func snapshot(at now: Date) async -> Snapshot {
    await wake(now)
    takeIn(now)
    return Snapshot(jar: jar, forms: forms)
  }

  /// A number that changes whenever a cookie does.
  func revision(at now: Date) async -> Int {
    await wake(now)
    takeIn(now)
    return changes
  }

  /// Takes over what an exchange has set and removed.
  ///
  /// A response on its way while a login form was answered tells of the session before: it sets and removes only what
  /// nobody has changed meanwhile. Otherwise the last word counts; what is removed is what the exchange had seen.
  func takeOver(from before: Snapshot, to after: CookieJar, isForm: Bool, at now: Date) async {
    guard before.jar != after, !isDropped else { return }
    let old = jar
    if isForm || forms == before.forms {
      let seen = Set(before.jar.cookies.map(CookiePlace.init))
      let left = Set(after.cookies.map(CookiePlace.init))
      let removed = seen.subtracting(left)
      let known = before.jar.cookies
      jar.removeAll { cookie in
        removed.contains(CookiePlace(cookie))
          && known.contains { CookiePlace($0) == CookiePlace(cookie) && $0.value == cookie.value }
      }
      for cookie in after.cookies where !known.contains(cookie) { jar.insert(cookie, now: now) }
    } else {
      jar.takeOver(changesFrom: before.jar, to: after)
    }
    guard jar != old else { return }
    changes += 1
    if isForm { forms += 1 }
    show(now)
    await write()
  }

  /// Drops everything, also what is at rest, for good.
  func drop() async {
    isDropped = true
    jar = CookieJar()
    changes += 1
    show(.distantPast)
    await write()
  }

  /// Brings back what is at rest, once.
  private func wake(_ now: Date) async {
    guard let rest, !isAwake else { return }
    let task = reading ?? Task { await rest.load() }
    reading = task
    let stored = await task.value
    // Several may have waited.
    guard !isAwake else { return }
    isAwake = true
    guard !isDropped else { return }
    jar.merge(stored, now: now)
    show(now)
  }

  /// Writes the jar of the moment to where it rests.
  private func write() async {
    guard let rest else { return }
    let previous = writing
    let task = Task {
      await previous?.value
      await rest.save(jar)
    }
    writing = task
    await task.value
  }

  // MARK: The storage

  /// Takes in what the app has put into the storage, and takes out what it has deleted there.
  private func takeIn(_ now: Date) {
    var held: [CookiePlace: HTTPCookie] = [:]
    for cookie in storage.cookies ?? [] { held[CookiePlace(cookie)] = cookie }
    let old = jar
    let deleted = Set(shown.keys).subtracting(held.keys)
    if !deleted.isEmpty { jar.removeAll { deleted.contains(CookiePlace($0)) } }
    for place in deleted { shown[place] = nil }
    for (place, cookie) in held where shown[place] != cookie.value {
      shown[place] = cookie.value
      if let cookie = try? Cookie(cookie, now: now) { jar.insert(cookie, now: now) }
    }
    if jar != old { changes += 1 }
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
    for (place, cookie) in wanted where shown[place] != cookie.value { storage.setCookie(cookie) }
    shown = wanted.mapValues(\.value)
  }
}
