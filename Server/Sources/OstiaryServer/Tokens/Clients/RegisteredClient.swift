public import OstiaryCore

/// A client that has just been registered, or been given another secret.
public struct RegisteredClient: Sendable {
  /// The client.
  public let client: Client
  /// Its new secret, in the only copy there is; nil for a client without one.
  public let secret: Secret?
}
