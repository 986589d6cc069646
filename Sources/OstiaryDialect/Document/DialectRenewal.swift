/// How a session is renewed.
public struct DialectRenewal: Sendable, Hashable {
  /// By what.
  public var by: Way
  /// Whether the server gives another renewal token, or another token where it renews itself, with each renewal.
  public var rotation: Rotation
  /// What is done where the answer to a renewal was lost.
  public var afterLostAnswer: AfterLostAnswer
  /// For how many seconds the server accepts the token before. It is for explanations.
  public var grace: Int?
  /// For how many seconds the server keeps a session of cookies that is not used, where its cookies do not say it by their dates.
  public var idle: Int?

  /// Makes a renewal.
  public init(
    by way: Way, rotation: Rotation = .sometimes, afterLostAnswer: AfterLostAnswer? = nil, grace: Int? = nil,
    idle: Int? = nil
  ) {
    self.by = way
    self.rotation = rotation
    self.afterLostAnswer = afterLostAnswer ?? (rotation == .always ? .ask : .sendSameAgain)
    self.grace = grace
    self.idle = idle
  }

  /// A session that can't be renewed.
  public static let none = DialectRenewal(by: .none, rotation: .never)

  /// By what a session is renewed.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// A token of its own.
    case renewalToken
    /// The session's token itself.
    case token
    /// The session's cookies, which slide: each answer prolongs the session, by newer cookies or by itself.
    case cookies
    /// A new sign-in with what the app's source of credentials gives. No password is stored for it.
    case credential
    /// Nothing.
    case none
  }

  /// When a renewal gives another token.
  public enum Rotation: String, Sendable, Hashable, CaseIterable {
    /// Each time; the token before is spent.
    case always
    /// Where the server is set up so. A token that the answer has not is kept.
    case sometimes
    /// Never.
    case never
  }

  /// What is done where the answer to a renewal was lost.
  public enum AfterLostAnswer: String, Sendable, Hashable, CaseIterable {
    /// The same renewal is sent again: the server repeats its answer, or the token is still good.
    case sendSameAgain
    /// The token may be spent: the same is not sent at once. The user is asked where the server refuses it, and never for lost
    /// answers alone.
    case ask
  }
}
