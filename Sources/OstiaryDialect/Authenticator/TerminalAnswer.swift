internal import HTTPTypes
internal import OstiaryCore

/// The answers that are a server's definite word about a credential or a session, each with the reason why it is one. Nothing else ends a
/// session or forgets a password: not a 5xx or a 429, a page, a network that is down, an answer without a mark.
enum TerminalAnswer: Sendable, Hashable, CaseIterable {
  /// The answer to the credential itself: a mark that the document names, or a 401 of the sign-in call.
  case wrongPassword
  /// A mark that the document names: the account is locked, and no time is given.
  case locked
  /// A mark that the document names: the server lets the user in with a new password only.
  case passwordChange
  /// A mark in the answer to a renewal: what renews the session is over.
  case renewalRefused
  /// A mark in an answer to a request, or a 401 of the call that is asked about the session.
  case sessionOver
  /// The server's own call says that a token which was handed over is not good.
  case tokenRefused
  /// The token is another user's than the session's.
  case anotherUser
  /// The answer to a question of the server's was refused: it is asked again.
  case wrongCode
  /// The code was refused again and again.
  case codeRefused

  /// The reason in words for a person.
  var reason: String {
    switch self {
    case .wrongPassword: "The server does not accept the user name or password."
    case .locked: "The server has locked the account."
    case .passwordChange: "The server wants a new password before it lets the user in."
    case .renewalRefused: "The server says that the session can't be renewed any more."
    case .sessionOver: "The server says that the session is over."
    case .tokenRefused: "The server does not accept the token that was handed over."
    case .anotherUser: "The token is another user's."
    case .wrongCode: "The server does not accept the answer to its question."
    case .codeRefused: "The server did not accept the answers to its question."
    }
  }

  private var code: OstiaryError.Code {
    switch self {
    case .wrongPassword, .wrongCode, .tokenRefused: .invalidCredentials
    case .locked: .accountLocked
    case .passwordChange: .passwordChangeNeeded
    case .renewalRefused, .sessionOver: .renewalRefused
    case .anotherUser: .anotherUser
    case .codeRefused: .challengedAgain
    }
  }

  private var advice: String? {
    switch self {
    case .passwordChange: "Choose a new password with the server's own page or app, then sign in with it."
    case .renewalRefused, .sessionOver, .anotherUser, .tokenRefused: "Sign in again."
    case .codeRefused: "Sign in again, and check where the code comes from."
    case .wrongCode: "Answer it once more."
    case .wrongPassword, .locked: nil
    }
  }

  /// What it means for a sign-in or a renewal.
  /// - Parameters:
  ///   - place: where the document and the answer say so.
  ///   - words: what else is to say.
  func error(_ answer: DialectAnswer, _ place: DialectPlace, _ words: String = "") -> OstiaryError {
    OstiaryError(
      code, "\(reason)\(words) (“\(place.inDocument)” of the dialect, status \(answer.response.status.code))",
      advice: advice, disposition: .terminal, request: answer.request, underlying: place)
  }
}
