internal import OstiaryCore

/// The answers that are a Newzulu server's definite word about a credential or a session, each with the reason why it is
/// one. Nothing else ends a session or forgets a password.
enum TerminalAnswer: Sendable, Hashable, CaseIterable {
  /// `confirmCredentials` with the result `false`, as the reference documents it: the server looked, and the password is
  /// not this user's.
  case wrongCredentials
  /// A failure that is about the session, by its number or its text: the server looked, and does not know the token.
  case sessionOver

  /// What it means for a sign-in.
  var error: OstiaryError { OstiaryError(.invalidCredentials, reason) }

  /// The reason in words for a person.
  var reason: String {
    switch self {
    case .wrongCredentials: "The server does not know this e-mail address and password."
    case .sessionOver: "The server says that the session token is not valid."
    }
  }
}
