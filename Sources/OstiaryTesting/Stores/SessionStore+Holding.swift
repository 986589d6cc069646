public import OstiaryCore

extension SessionStore {
  /// Whether a session is stored for `key`. What is left of one that has ended is none, nor are bytes that can't be read.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when the store can't tell now.
  public func holdsSession(for key: SessionKey) async throws -> Bool {
    try await sessions().contains { stored in
      guard stored.key == key, case .session = stored.content else { return false }
      return true
    }
  }
}
