public import OstiaryCore

/// Where the SDK keeps the user's session.
public protocol SessionStore: Sendable {
  /// What keeps the bytes.
  var storage: any OstiaryCore.SessionStore { get }
}

/// Keeps the session in memory, so that it does not persist. The default.
public struct EphemeralSessionStore: SessionStore {
  public let storage: any OstiaryCore.SessionStore

  /// Makes an empty store.
  public init() {
    storage = EphemeralStore()
  }
}
