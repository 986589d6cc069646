/// Whether a user is signed in. Three answers, because "can't tell" is not "no".
public enum SessionStatus: Sendable {
  /// A user is, as far as is known here.
  case signedIn(Session)
  /// No user is, and why.
  case signedOut(Cause)
  /// It can't be told now, and why: the store has not answered, or the server could not be asked.
  case unknown(OstiaryError)

  /// Whether the answer is "signed in".
  public var isSignedIn: Bool { if case .signedIn = self { true } else { false } }
}

/// What came of signing out. No user is signed in here any more, with any of its values.
public struct SignOutReport: Sendable {
  /// Why the server could not be told, or refused; `nil` when it was told or there was nothing to tell. That it was told
  /// does not show that the session is over there: see ``confirmation``.
  public var serverError: OstiaryError?
  /// What the server has shown of the session's end. `nil` when it could not be told, when no session was known, and when
  /// the caller did not ask for it: see ``SessionManager/signOut(confirming:)``.
  public var confirmation: EndConfirmation?
  /// Why the stored session could not be removed yet; removing is tried again as long as the program runs.
  public var storeError: OstiaryError?

  /// Whether nothing is left to do: the server was told, and the stored session is removed.
  public var isComplete: Bool { serverError == nil && storeError == nil }
}
