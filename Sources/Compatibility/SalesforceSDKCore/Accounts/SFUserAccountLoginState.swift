internal import OstiarySalesforce

/// Whether a user is logged in to an account.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFUserAccountLoginState: Int, Sendable, CaseIterable {
  /// No user is logged in.
  case notLoggedIn = 0
  /// A user is logged in.
  case loggedIn = 1
  /// The user is being logged out.
  case loggingOut = 2

  init(_ state: SalesforceLoginState) {
    switch state {
    case .notLoggedIn: self = .notLoggedIn
    case .loggedIn: self = .loggedIn
    case .loggingOut: self = .loggingOut
    }
  }
}
