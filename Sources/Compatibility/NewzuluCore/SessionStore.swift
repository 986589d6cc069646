public import OstiaryCore

/// Where the SDK keeps the user's session.
public protocol SessionStore: Sendable {
  /// What keeps the bytes.
  var storage: any OstiaryCore.SessionStore { get }
}
