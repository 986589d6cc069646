internal import OstiarySalesforce

/// Whether somebody is logged in to an account.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFUserAccountLoginState: Int, Sendable, CaseIterable {
  /// Nobody is.
  case notLoggedIn = 0
  /// Somebody is.
  case loggedIn = 1
  /// Somebody is being logged out.
  case loggingOut = 2

  init(_ state: SalesforceLoginState) {
    switch state {
    case .notLoggedIn: self = .notLoggedIn
    case .loggedIn: self = .loggedIn
    case .loggingOut: self = .loggingOut
    }
  }
}
