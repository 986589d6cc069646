public import OstiaryCore

/// What a server wants to know in the middle of a sign-in.
public struct DialectQuestion: Sendable {
  /// The kind of question: the name of a call of `continue` in the document, such as `totp`; ``password`` for the user name and password
  /// themselves.
  public let kind: String
  /// The question for people, where the document has one.
  public let title: String?
  /// Whether it is answered by yes or no: terms that the user accepts.
  public let isAcceptance: Bool
  /// How often it was asked in this sign-in, from 1.
  public let attempt: Int
  /// Why the answer before was no good; `nil` at first.
  public let previousError: OstiaryError?

  /// The kind of the question for user name and password, asked where the app signs in with `Credential.byHandler`.
  public static let password = "password"

  /// Makes a question.
  public init(
    kind: String, title: String? = nil, isAcceptance: Bool = false, attempt: Int = 1, previousError: OstiaryError? = nil
  ) {
    self.kind = kind
    self.title = title
    self.isAcceptance = isAcceptance
    self.attempt = attempt
    self.previousError = previousError
  }
}

/// An answer to a ``DialectQuestion``.
public enum DialectReply: Sendable {
  /// A code.
  case code(Secret)
  /// User name and password, for ``DialectQuestion/password``.
  case password(username: String, password: Secret)
  /// Yes.
  case accepted
  /// No, or no answer: the sign-in ends with `interactionCancelled`.
  case declined
}

extension DialectReply: Redacted {
  /// The kind of answer; never a code.
  public var description: String {
    switch self {
    case .code: "a code"
    case .password: "user name and password"
    case .accepted: "accepted"
    case .declined: "declined"
    }
  }
}

/// Answers a server's questions in the middle of a sign-in, by asking a person as a rule.
///
/// It may take as long as a person does. One question is asked at a time, for all callers that wait for the session; when the app cancels
/// the sign-in or its time is up, the task is cancelled. Throw to decline. In a program whose store is shared by processes, sign in with
/// `CredentialSource.byHandler`: then user name and password are asked for here, too, and the store is not held meanwhile.
public struct DialectQuestions: Sendable {
  let answer: (@Sendable (DialectQuestion) async throws -> DialectReply)?

  /// Asks a closure.
  public init(_ answer: @escaping @Sendable (DialectQuestion) async throws -> DialectReply) {
    self.answer = answer
  }

  private init() { answer = nil }

  /// Answers no question: a server that asks one refuses the sign-in.
  public static let none = DialectQuestions()
}
