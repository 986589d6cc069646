public import OstiaryCore

/// What came of a sign-out here, by revocation, and on the server's page.
public struct LogoutReport: Sendable {
  /// What came of it here, and of the revocation of the tokens.
  public var signOut: SignOutReport
  /// Whether a page of the server was shown; without a session there is none to show.
  public var didVisitPage: Bool
  /// Why the server's own sign-in may go on: the page was closed, the answer was not to be believed, or the server has no such page.
  /// `nil` when the server has sent the browser back, and when no session was known.
  public var pageError: OstiaryError?

  /// Makes a report.
  public init(signOut: SignOutReport, didVisitPage: Bool, pageError: OstiaryError? = nil) {
    self.signOut = signOut
    self.didVisitPage = didVisitPage
    self.pageError = pageError
  }

  /// Whether nothing is left to do.
  public var isComplete: Bool { signOut.isComplete && pageError == nil }
}
