internal import Foundation
internal import Ostiary

/// Where a client's persistent cookies rest: those to which the server gave a date. Session cookies end with the process.
struct CookieRest: Sendable {
  let key: SessionKey
  private let store: any SessionStore
  /// The cookies that the app has dropped before. Those of the same server must be gone before anything is read.
  private let dropped: [ClientCookies]

  init(store: any SessionStore, server: ServerAddress?, dropped: [ClientCookies]) {
    self.store = store
    self.dropped = dropped
    key = Self.key(of: server)
  }

  /// The entry in which the cookies of a server rest.
  static func key(of server: ServerAddress?) -> SessionKey {
    SessionKey("mobilefirst-cookies \(server.map { "\($0.origin)\($0.base)" } ?? "")")
  }

  /// What is stored, as far as it is known.
  struct Content: Sendable {
    var jar = CookieJar()
    fileprivate var data: Data?

    fileprivate var expectation: StoreExpectation { data.map(StoreExpectation.exactly) ?? .nothing }
  }

  /// Reads what is at rest. Damage is no cookies: the gateway then asks for a sign-in.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it can't be read now.
  func load() async throws -> Content {
    // Those of other servers are none of this one's business: their removal may take as long as it likes.
    for cookies in dropped where cookies.restingKey == key {
      guard await cookies.drop() else {
        throw OstiaryError(
          .storeUnavailable, "The cookies that were dropped can't be removed from their store now.",
          requestMayHaveExecuted: false)
      }
    }
    switch await store.load(key) {
    case .present(let data):
      return Content(jar: (try? JSONDecoder().decode(CookieJar.self, from: data)) ?? CookieJar(), data: data)
    case .absent: return Content()
    case .unavailable(let error) where error.code == .storeCorrupt: return Content()
    case .unavailable(let error): throw error
    }
  }

  /// Keeps the persistent cookies of a jar, or removes the entry when there are none.
  /// - Returns: What is stored now.
  /// - Throws: ``OstiaryError`` `storeConflict` when another process has changed what is stored since it was `held`, and
  ///   `storeUnavailable` when it can't be written now.
  func save(_ jar: CookieJar, replacing held: Content) async throws -> Content {
    var lasting = jar
    lasting.removeAll { !$0.isPersistent }
    guard !lasting.isEmpty else {
      if held.data != nil { try await store.remove(key, ifHolding: held.expectation) }
      return Content()
    }
    guard lasting != held.jar else { return held }
    let data = try JSONEncoder().encode(lasting)
    try await store.save(data, for: key, replacing: held.expectation)
    return Content(jar: lasting, data: data)
  }

  /// Forgets everything, as the app says.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it can't be removed now.
  func removeAll() async throws {
    try await store.remove(key, ifHolding: .anything)
  }
}
