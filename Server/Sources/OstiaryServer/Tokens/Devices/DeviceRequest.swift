public import OstiaryCore

/// A device that waits for somebody to let it in, as the page that asks them shows it.
public struct DeviceRequest: Hashable, Sendable {
  /// Who asks.
  public let clientID: String
  /// What for.
  public let scopes: [String]
  /// What the door has put there.
  public let attributes: [String: JSONValue]
}
