internal import Foundation
public import OstiaryCore

/// Keys in another store: see ``SealingKeySource/stored(in:as:)``.
package struct StoredKeys: SealingKeySource {
  private let store: any SessionStore
  private let key: SessionKey

  /// Makes a source of the keys in a store.
  /// - Parameters:
  ///   - store: a store that keeps secrets. Nothing else must be kept under `key`.
  ///   - key: where in the store.
  package init(in store: any SessionStore, as key: SessionKey = SessionKey("ostiary sealing keys")) {
    self.store = store
    self.key = key
  }

  package func keys() async throws -> SealingKeys? {
    try await text().map { try SealingKeys(text: $0) }
  }

  private func text() async throws -> Data? {
    switch await store.load(key) {
    case .present(let text): text
    case .absent: nil
    case .unavailable(let error): throw error
    }
  }

  package func makeKey(after known: SealingKeys?) async throws -> SealingKeys {
    let text = try await text()
    let keys = try text.map { try SealingKeys(text: $0) }
    guard keys == known else {
      guard let keys else { throw OstiaryError(.storeUnavailable, "The sealing keys are gone.") }
      return keys
    }
    let new = keys?.rotated(to: .random()) ?? SealingKeys(current: .random())
    do {
      // Compared with what was read: a person may have written the same keys in another way.
      try await store.save(new.revealText(), for: key, replacing: text.map { .exactly($0) } ?? .nothing)
      return new
    } catch let error as OstiaryError where error.code == .storeConflict {
      guard let others = try await self.keys(), others != known else { throw error }
      return others
    }
  }
}

extension SealingKeySource where Self == BuiltInKeys {
  /// Keys in another store: the platform's keychain or Secret Service, which is made for small secrets, while the sessions
  /// are wherever there is room.
  /// - Parameters:
  ///   - store: a store that keeps secrets. Nothing else must be kept under `key`.
  ///   - key: where in the store.
  public static func stored(
    in store: any SessionStore, as key: SessionKey = SessionKey("ostiary sealing keys")
  ) -> BuiltInKeys {
    BuiltInKeys(StoredKeys(in: store, as: key))
  }
}
