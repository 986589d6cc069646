public import Foundation
package import OstiarySalesforce

/// A user who has logged in to an org.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, as far as logging in needs it. Accounts of the same
/// identity are equal.
public final class SFUserAccount: NSObject, Sendable {
  private let account: SalesforceAccount

  package init(_ account: SalesforceAccount) {
    self.account = account
    super.init()
  }

  /// The same, as the module below knows it; `nil` when no user is logged in to it.
  package var sessionAccount: SalesforceAccount? { account.loginState == .loggedIn ? account : nil }

  var underlying: SalesforceAccount { account }

  /// Who it is.
  public var accountIdentity: SFUserAccountIdentity { SFUserAccountIdentity(account.identity) }
  /// The account's tokens.
  public var credentials: SFOAuthCredentials { SFOAuthCredentials(account) }
  /// The name that the user logs in with, where the server has said it.
  public var userName: String? { account.username }
  /// The community's identifier, for members of one.
  public var communityId: String? { account.tokens?.communityID }
  /// Where the org's interfaces are called.
  public var apiUrl: URL? { account.tokens?.apiURL }
  /// Whether the account can be used without logging in again.
  public var isSessionValid: Bool { account.isSessionValid }
  /// Whether a user is logged in to it.
  public var loginState: SFUserAccountLoginState { SFUserAccountLoginState(account.loginState) }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SFUserAccount)?.account.identity == account.identity
  }
  public override var hash: Int { account.identity.hashValue }

  /// Who it is; never the tokens.
  public override var description: String { "SFUserAccount(\(account.identity))" }
  public override var debugDescription: String { description }
}

extension SFUserAccount: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

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
