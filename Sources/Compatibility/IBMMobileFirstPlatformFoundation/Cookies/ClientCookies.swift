internal import Foundation
internal import HTTPTypes
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
  /// What a caller's thread can see without waiting for the actor.
  fileprivate struct State: Sendable {
    var jar = CookieJar()
    /// What the storage holds as far as it is known here.
    var shown: [CookiePlace: CookieMark] = [:]
    /// Whether the storage is being written.
    var isShowing = false
    var isAwake = false
    /// Whether something is still to be written to where it rests.
    var isOwed = false
    /// Counts what may have changed the user: login forms whose answers set cookies, and the app where it took one away. What
    /// other responses say about the time before is then out of date.
    var users = 0
    /// Counts challenges that were answered.
    var answers = 0
    var changes = 0
  }

  /// Where the app finds the cookies.
  nonisolated let storage: HTTPCookieStorage
  private nonisolated let state: Locked<State>

  // What rests, and how far that is known here: see `ClientCookies+Rest.swift`.

  nonisolated let rest: CookieRest?
  var reading: SharedWork<CookieRest.Content>?
  /// What is at rest, as it was last read or written here.
  var resting = CookieRest.Content()
  /// Each write waits for the one before.
  let writes = AsyncSerialQueue()
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
    var state = State()
    state.isAwake = rest == nil
    self.state = Locked(state)
  }

  /// The jar before an exchange.
  struct Snapshot: Sendable {
    var jar: CookieJar
    fileprivate let users: Int
    fileprivate let answers: Int

    fileprivate init(_ state: State) { (jar, users, answers) = (state.jar, state.users, state.answers) }
  }

  var jar: CookieJar { state.withLock { $0.jar } }
  nonisolated var isOwed: Bool { state.withLock { $0.isOwed } }
  var isAwake: Bool { state.withLock { $0.isAwake } }
  func wakeUp() { state.withLock { $0.isAwake = true } }

  /// What is to be written, which is owed until it has been.
  func owed() -> (jar: CookieJar, changes: Int) {
    state.withLock { state in
      state.isOwed = true
      return (state.jar, state.changes)
    }
  }

  /// Notes that a jar has been written. The app may have changed a cookie meanwhile.
  func isWritten(_ changes: Int) { state.withLock { $0.isOwed = $0.changes != changes } }

  /// The cookies now, with what the app has changed, where no caller has to wait for them.
  nonisolated func snapshotNow(at now: Date) -> Snapshot? {
    state.withLock { state -> Snapshot? in
      guard state.isAwake, !state.isShowing else { return nil }
      state.absorb(storage.cookies ?? [], now)
      return Snapshot(state)
    }
  }

  /// The cookies now, with what the app has changed.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when those at rest can't be read now.
  func snapshot(at now: Date) async throws -> Snapshot {
    try await wake(now)
    return state.withLock { state in
      state.absorb(storage.cookies ?? [], now)
      return Snapshot(state)
    }
  }

  /// A number that changes whenever a cookie does.
  func revision(at now: Date) async -> Int {
    // What can't be read does not change.
    try? await wake(now)
    return state.withLock { state in
      state.absorb(storage.cookies ?? [], now)
      return state.changes
    }
  }

  /// Notes that a challenge was answered: the requests that wait go with the cookies of now.
  nonisolated func noteAnswer() { state.withLock { $0.answers += 1 } }

  /// Whether no challenge has been answered since.
  nonisolated func isPresent(_ snapshot: Snapshot) -> Bool { state.withLock { $0.answers } == snapshot.answers }

  /// What one request was answered.
  struct Answer: Sendable {
    let response: HTTPResponse
    let request: HTTPRequest
  }

  /// Takes over what the answers to a login form set and remove: they are the last word, also about cookies that came
  /// meanwhile.
  func takeOver(_ answers: [Answer], at now: Date) async {
    guard !isDropped, answers.contains(where: { $0.response.headerFields[.setCookie] != nil }) else { return }
    let hasChanged = update(at: now) { state in
      state.absorb(storage.cookies ?? [], now)
      state.users += 1
      for answer in answers { state.jar.storeAll(from: answer.response, to: answer.request, now: now) }
    }
    if hasChanged { await write(now) }
  }

  /// Takes over the cookies of a session that was begun apart: they take the place of all others, which may be another user's.
  func takeOver(_ session: CookieJar, at now: Date) async {
    guard !isDropped else { return }
    let hasChanged = update(at: now) { state in
      state.absorb(storage.cookies ?? [], now)
      state.users += 1
      state.jar = session
    }
    if hasChanged { await write(now) }
  }

  /// Takes over what another exchange has set and removed.
  ///
  /// A response on its way while the user may have changed tells of the session before: it replaces and removes only the
  /// cookies that have not changed meanwhile, and brings no new ones. Otherwise the last word counts; what is removed is what
  /// the exchange had seen. A cookie that expired during the exchange was not removed by it: another response may have
  /// extended it.
  func takeOver(from before: Snapshot, to after: CookieJar, at now: Date) async {
    guard before.jar != after, !isDropped else { return }
    let known = Set(before.jar.cookies.map(CookiePlace.init))
    let hasChanged = update(at: now) { state in
      state.absorb(storage.cookies ?? [], now)
      guard state.users == before.users else {
        var late = after
        late.removeAll { !known.contains(CookiePlace($0)) }
        return state.jar.takeOver(changesFrom: before.jar, to: late)
      }
      let left = Set(after.cookies.map(CookiePlace.init))
      let removed = before.jar.cookies.filter { !left.contains(CookiePlace($0)) && !$0.isExpired(at: now) }
      state.jar.removeAll { cookie in
        removed.contains { CookiePlace($0) == CookiePlace(cookie) && $0.value == cookie.value }
      }
      for cookie in after.cookies where !before.jar.cookies.contains(cookie) { state.jar.insert(cookie, now: now) }
    }
    if hasChanged { await write(now) }
  }

  /// Changes the jar, and shows the app what has changed.
  func change(at now: Date, _ body: (inout CookieJar) -> Void) {
    update(at: now) { body(&$0.jar) }
  }

  /// Changes the jar in one step, and shows the app what has changed.
  /// - Returns: Whether anything has.
  @discardableResult
  private func update(at now: Date, _ body: (inout State) -> Void) -> Bool {
    let change = state.withLock { state -> (gone: Set<CookiePlace>, new: [HTTPCookie])? in
      let old = state.jar
      body(&state)
      guard state.jar != old else { return nil }
      state.changes += 1
      state.isShowing = true
      return state.show(now)
    }
    guard let change else { return false }
    // Not under the lock: the app may be told.
    let held = change.gone.isEmpty ? [] : storage.cookies ?? []
    for cookie in held where change.gone.contains(CookiePlace(cookie)) { storage.deleteCookie(cookie) }
    for cookie in change.new { storage.setCookie(cookie) }
    state.withLock { $0.isShowing = false }
    return true
  }
}

// MARK: The storage

extension ClientCookies.State {
  /// Takes in what the app has put into the storage, and takes out what it has deleted there.
  fileprivate mutating func absorb(_ cookies: [HTTPCookie], _ now: Date) {
    var held: [CookiePlace: HTTPCookie] = [:]
    for cookie in cookies { held[CookiePlace(cookie)] = cookie }
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
    let here = Dictionary(jar.cookies.map { (CookiePlace($0), $0.value) }) { $1 }
    if old.cookies.contains(where: { here[CookiePlace($0)] != $0.value }) { users += 1 }
  }

  /// What has to change in the storage.
  fileprivate mutating func show(_ now: Date) -> (gone: Set<CookiePlace>, new: [HTTPCookie]) {
    var wanted: [CookiePlace: HTTPCookie] = [:]
    for cookie in jar.cookies where !cookie.isExpired(at: now) {
      if let cookie = HTTPCookie(cookie) { wanted[CookiePlace(cookie)] = cookie }
    }
    defer { shown = wanted.mapValues(CookieMark.init) }
    return (
      Set(shown.keys).subtracting(wanted.keys),
      wanted.filter { shown[$0.key] != CookieMark($0.value) }.map(\.value)
    )
  }
}
