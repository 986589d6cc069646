/// What a person is asked for when a gateway wants a one-time code.
public struct OneTimeCodeRequest: Sendable {
  /// The handler's name.
  public let gateway: String
  /// Who signs in.
  public let username: String
  /// The page's title, where it has one.
  public let title: String?
  /// Counts the codes that were asked for in this sign-in, from 1: more than 1 means that the one before was refused.
  public let attempt: Int
}
