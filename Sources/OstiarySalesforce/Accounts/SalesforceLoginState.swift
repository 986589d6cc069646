/// Whether a user is signed in to an account, and how that may change.
public enum SalesforceLoginState: Int, Sendable, Hashable {
  /// No user is signed in.
  case notLoggedIn = 0
  /// A user is signed in.
  case loggedIn = 1
  /// The user is being signed out.
  case loggingOut = 2

  /// Whether one state may follow another: `loggedIn` after `notLoggedIn` and itself, `notLoggedIn` after itself and
  /// `loggingOut`, `loggingOut` only after `loggedIn`, so that no user is signed out twice.
  public func canBecome(_ next: SalesforceLoginState) -> Bool {
    switch (self, next) {
    case (.notLoggedIn, .loggedIn), (.loggedIn, .loggedIn), (.notLoggedIn, .notLoggedIn), (.loggingOut, .notLoggedIn),
      (.loggedIn, .loggingOut):
      true
    default: false
    }
  }
}
