internal import OstiaryCore

/// The answers that are a Pega server's definite word about a credential or a session, each with the reason why it is
/// one. Nothing else ends a session or forgets a password: not a network that is down, a time-out, a 429, a 5xx, nor a
/// page or JSON of an unknown form.
enum TerminalAnswer: Sendable, Hashable, CaseIterable {
  /// 401 with a mark of the server's own, or with a Basic challenge to a Basic field: it looked at the credential, or the
  /// cookies, and does not know them.
  case unauthorized
  /// A 2xx with the login form. A Pega server shows it to every user who is not signed in, in place of the page that
  /// was asked for, so nothing was executed.
  case loginForm
  /// A 2xx with the login form, which says what went wrong. It answers a login attempt; to cookies alone it is the form.
  case loginError
  /// The server says in so many words that an administrator has locked the account. No password opens it.
  case accountLocked
  /// The response names container versions that this client's is not among. It would be the same next time.
  case unsupportedVersion

  /// What it means for a login attempt.
  var error: OstiaryError {
    switch self {
    case .unauthorized, .loginForm, .loginError:
      OstiaryError(.invalidCredentials, reason)
    case .accountLocked:
      OstiaryError(
        .accountLocked, reason, advice: "Ask the server's administrator to unlock the account.", disposition: .terminal)
    case .unsupportedVersion:
      OstiaryError(.unsupportedClientVersion, reason, advice: "Update this app.", disposition: .terminal)
    }
  }

  /// The reason in words for a person.
  var reason: String {
    switch self {
    case .unauthorized: "The server answered 401: it does not accept who this is."
    case .loginForm: "The server answered with its login form."
    case .loginError: "The server did not recognise the user name and password."
    case .accountLocked: "The server says that the account is locked."
    case .unsupportedVersion: "The server does not work with this version of the app."
    }
  }
}
