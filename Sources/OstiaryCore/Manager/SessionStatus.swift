/// Whether somebody is signed in. Three answers, because "can't tell" is not "no".
public enum SessionStatus: Sendable {
  /// Somebody is, as far as is known here.
  case signedIn(Session)
  /// Nobody is, and why.
  case signedOut(Cause)
  /// It can't be told now, and why: the store has not answered, or the server could not be asked.
  case unknown(OstiaryError)

  /// Whether the answer is "signed in".
  public var isSignedIn: Bool { if case .signedIn = self { true } else { false } }
}

/// What came of signing out. Nobody is signed in here any more, whatever it says.
public struct SignOutReport: Sendable {
  /// Why the server could not be told, or did not confirm; `nil` when it did or there was nothing to tell.
  public var serverError: OstiaryError?
  /// Why the stored session could not be removed yet; removing is tried again as long as the program runs.
  public var storeError: OstiaryError?

  /// Whether everything was confirmed.
  public var isComplete: Bool { serverError == nil && storeError == nil }
}
