/// Whether a client is who it says it is.
public enum ClientDecision: Sendable {
  /// It is: its secret is right, or it has none and presented none.
  case accepted(Client)
  /// There is no client of that id.
  case unknown
  /// Its secret is missing or wrong, or it has none and presented one.
  case refused
  /// It is kept out.
  case disabled

  /// The client, if it is who it says it is.
  public var client: Client? {
    if case .accepted(let client) = self { client } else { nil }
  }
}
