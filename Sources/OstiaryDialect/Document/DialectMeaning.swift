/// What an answer means that is no success.
public struct DialectMeaning: Sendable, Hashable {
  /// When it means that.
  public var condition: DialectCondition
  /// What it means.
  public var meaning: Meaning

  /// Makes a meaning.
  public init(when condition: DialectCondition, _ meaning: Meaning) {
    self.condition = condition
    self.meaning = meaning
  }

  /// What a refusal can mean.
  public enum Meaning: Sendable, Hashable {
    /// The server does not accept user name and password.
    case wrongPassword
    /// The account is locked, until a time that may be in the answer.
    case lockedUntil([DialectExpiry] = [])
    /// The server wants a second factor.
    case secondFactor(DialectDemand)
    /// The server wants the user to accept something: yes or no.
    case acceptTerms(DialectDemand)
    /// The server wants a new password before it lets the user in.
    case passwordChange
    /// The proof needs renewal; the server has not executed the call.
    case expired
    /// The session is over.
    case endedForGood
    /// The refusal is not about the session.
    case notThisSession
    /// The server wants the call later.
    case tryLater(after: [DialectExpiry] = [])
  }
}

extension DialectMeaning.Meaning {
  /// The name in the document.
  package var name: String {
    switch self {
    case .wrongPassword: "wrongPassword"
    case .lockedUntil: "lockedUntil"
    case .secondFactor: "secondFactor"
    case .acceptTerms: "acceptTerms"
    case .passwordChange: "passwordChange"
    case .expired: "expired"
    case .endedForGood: "endedForGood"
    case .notThisSession: "notThisSession"
    case .tryLater: "tryLater"
    }
  }
}

/// What the server wants to know in the middle of a sign-in.
public struct DialectDemand: Sendable, Hashable {
  /// The kind of question, which names the call of `continue`; the only one there is without.
  public var kind: Kind?
  /// Where the handle is that the next call sends back: `{handle}`.
  public var handle: [DialectRead]
  /// The question, for people.
  public var title: String?

  /// Makes a demand.
  public init(_ kind: Kind? = nil, handle: [DialectRead] = [], title: String? = nil) {
    self.kind = kind
    self.handle = handle
    self.title = title
  }

  /// Where the kind of question is from.
  public enum Kind: Sendable, Hashable {
    /// It is always this one.
    case named(String)
    /// The answer says it.
    case read([DialectRead])
  }
}
