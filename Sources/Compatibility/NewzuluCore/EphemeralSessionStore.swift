public import OstiaryCore

/// Keeps the session in memory, so that it does not persist. The default.
public struct EphemeralSessionStore: SessionStore {
  public let storage: any OstiaryCore.SessionStore

  /// Makes an empty store.
  public init() {
    storage = EphemeralStore()
  }
}
