import Foundation

extension SessionStore {
  /// Takes over every session of another store, which has none of them afterwards: for a program that changes its store,
  /// such as from a ``FileStore`` to an `EncryptedFileStore` in another folder.
  ///
  /// Each session is saved here before it is removed there, so that it can be interrupted anywhere and done again. Where
  /// this store has another session already, that one stays, and so does the other store's.
  /// - Throws: what the two stores throw; `storeConflict` at the end when some sessions were left where they are.
  public func adopt(_ other: some SessionStore) async throws {
    var conflict: OstiaryError?
    for key in try await other.accounts() {
      let data: Data
      switch await other.load(key) {
      case .absent: continue
      case .unavailable(let error): throw error
      case .present(let stored): data = stored
      }
      do {
        if await load(key) != .present(data) { try await save(data, for: key, replacing: .nothing) }
        try await other.remove(key, ifHolding: .exactly(data))
      } catch let error as OstiaryError where error.code == .storeConflict {
        conflict = error
      }
    }
    if let conflict { throw conflict }
  }
}
