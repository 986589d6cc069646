/// Whether somebody is signed in to an account, and how that may change.
public enum SalesforceLoginState: Int, Sendable, Hashable {
  /// Nobody is.
  case notLoggedIn = 0
  /// Somebody is.
  case loggedIn = 1
  /// Somebody is being signed out.
  case loggingOut = 2

  /// Whether one state may follow another: `loggedIn` after `notLoggedIn` and itself, `notLoggedIn` after itself and
  /// `loggingOut`, `loggingOut` only after `loggedIn`, so that nobody is signed out twice.
  public func canBecome(_ next: SalesforceLoginState) -> Bool {
    switch (self, next) {
    case (.notLoggedIn, .loggedIn), (.loggedIn, .loggedIn), (.notLoggedIn, .notLoggedIn), (.loggingOut, .notLoggedIn),
      (.loggedIn, .loggingOut):
      true
    default: false
    }
  }
}
