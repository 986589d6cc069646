internal import Foundation
internal import Ostiary

/// Where a client's persistent cookies rest: those to which the server gave a date. Session cookies end with the process.
struct CookieRest: Sendable {
  let store: any SessionStore
  let key: SessionKey
  /// What has to be done before: dropping the cookies of the server before, which may be the same.
  private let previous: Task<Void, Never>?

  init(store: any SessionStore, server: ServerAddress?, after previous: Task<Void, Never>?) {
    self.store = store
    self.previous = previous
    key = SessionKey("mobilefirst-cookies \(server.map { "\($0.origin)\($0.base)" } ?? "")")
  }

  /// What is at rest. What can't be read, or not yet, is nothing: the gateway then asks for a sign-in.
  func load() async -> CookieJar {
    await previous?.value
    guard case .present(let data) = await store.load(key) else { return CookieJar() }
    return (try? JSONDecoder().decode(CookieJar.self, from: data)) ?? CookieJar()
  }

  /// Keeps the persistent cookies of a jar, or forgets them when there are none. A store that can't be written costs a
  /// sign-in after the next start and nothing else.
  func save(_ jar: CookieJar) async {
    var lasting = jar
    lasting.removeAll { !$0.isPersistent }
    guard !lasting.isEmpty, let data = try? JSONEncoder().encode(lasting) else {
      try? await store.remove(key, ifHolding: .anything)
      return
    }
    try? await store.save(data, for: key, replacing: .anything)
  }
}
