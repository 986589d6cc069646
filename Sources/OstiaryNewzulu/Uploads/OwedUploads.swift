internal import Foundation
internal import OstiaryCore

/// The identifiers of uploads that a signed-out user has given up and that the server has not confirmed as deleted. No secret
/// is kept with them.
struct OwedUploads: Sendable {
  private let store: any SessionStore
  private let key: SessionKey

  init(_ account: NewzuluAccount) {
    store = account.store
    key = SessionKey("newzulu-owed \(account.name)")
  }

  /// How many are kept: the newest.
  private static let limit = 100

  func add(_ ids: [String]) async {
    guard !ids.isEmpty else { return }
    await change { known in (known + ids.filter { !known.contains($0) }).suffix(Self.limit) }
  }

  /// Takes back that an upload is given up.
  func forget(_ id: String) async { await change { $0.filter { $0 != id } } }

  /// Lets the server delete each, and forgets those of which it says that they are gone. Any other refusal may be about a
  /// server that is busy.
  /// - Parameter abort: throws nothing for an upload that the server does not have.
  /// - Returns: why the last one is still owed.
  func settle(_ abort: (String) async throws -> Void) async -> OstiaryError? {
    var last: OstiaryError?
    for id in await load().ids {
      do {
        try await abort(id)
        await forget(id)
      } catch {
        last =
          error as? OstiaryError
          ?? OstiaryError(.cancelled, "The server was not told that an upload is given up.")
      }
    }
    return last
  }

  private func load() async -> (ids: [String], data: Data?) {
    guard case .present(let data) = await store.load(key) else { return ([], nil) }
    return (JSONValue(json: data)?.array?.compactMap(\.string) ?? [], data)
  }

  /// Losing an identifier leaves a draft at the server, no session; so a store that fails is tried twice and no more.
  private func change(_ edit: ([String]) -> [String]) async {
    for _ in 0..<2 {
      let (ids, data) = await load()
      let next = edit(ids)
      guard next != ids else { return }
      let expected = data.map(StoreExpectation.exactly) ?? .nothing
      do {
        if next.isEmpty {
          if data != nil { try await store.remove(key, ifHolding: expected) }
        } else {
          try await store.save(JSONEncoder().encode(next), for: key, replacing: expected)
        }
        return
      } catch {
        continue
      }
    }
  }
}
