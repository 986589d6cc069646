// Types are as Swift imports the vendor's: code has been written with and without a question mark.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
package import OstiarySalesforce

/// A user who has logged in to an org.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, as Swift saw it at version 6.2, as far as logging in needs it. Accounts
/// of the same identity are equal.
public final class SFUserAccount: NSObject, Sendable {
  private enum Source: Sendable {
    case account(SalesforceAccount)
    case credentials(SFOAuthCredentials)
  }

  private let source: Source

  package init(_ account: SalesforceAccount) {
    source = .account(account)
    super.init()
  }

  /// Makes an account for credentials of the app's own. No user is logged in to it:
  /// `refreshCredentials(_:completion:failure:)` logs one in with them.
  public init(credentials: SFOAuthCredentials) {
    source = .credentials(credentials)
    super.init()
  }

  /// The same, as the module below knows it; `nil` when no user is logged in to it.
  package var sessionAccount: SalesforceAccount? { underlying?.loginState == .loggedIn ? underlying : nil }

  /// The account of the module below; `nil` for one that an app has made.
  var underlying: SalesforceAccount? { if case .account(let account) = source { account } else { nil } }

  /// Who it is. The user's identifier has 15 characters, as the vendor's has; both spellings are equal.
  public var accountIdentity: SFUserAccountIdentity {
    let credentials = credentials
    return SFUserAccountIdentity(userId: credentials.userId ?? "", orgId: credentials.organizationId ?? "")
  }
  /// The account's tokens.
  public var credentials: SFOAuthCredentials {
    switch source {
    case .account(let account): SFOAuthCredentials(account)
    case .credentials(let credentials): credentials
    }
  }
  /// What the server says of the user. It is never `nil`: before the server has been asked it has the identifiers alone.
  ///
  /// The vendor's property could be read with and without a question mark, depending on the version; here both compile.
  public var idData: SFIdentityData! {
    switch source {
    case .account(let account): SFIdentityData(account)
    case .credentials(let credentials): SFIdentityData(credentials)
    }
  }
  /// The name that the user logs in with; empty where the server has not said it.
  public var userName: String { underlying?.username ?? idData?.username ?? "" }
  /// The name to show; empty where the server has not said it.
  public var fullName: String { idData?.displayName ?? "" }
  /// The user's e-mail address, where the server has said it.
  public var email: String? { idData?.email }
  /// What the tokens are for, where the server has said it.
  public var accessScopes: Set<String>? { underlying?.scopes }
  /// The community's identifier, for members of one.
  public var communityId: String? { credentials.communityId }
  /// Where the org's interfaces are called.
  public var apiUrl: URL? { credentials.apiUrl }
  /// Whether the account can be used without logging in again.
  public var isSessionValid: Bool { underlying?.isSessionValid ?? false }
  /// Whether the user has been logged out since.
  public var isUserDeleted: Bool { underlying?.loginState == .notLoggedIn }
  /// Whether a user is logged in to it.
  public var loginState: SFUserAccountLoginState {
    underlying.map { SFUserAccountLoginState($0.loginState) } ?? .notLoggedIn
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SFUserAccount).map { accountIdentity.isEqual($0.accountIdentity) } ?? false
  }
  public override var hash: Int { accountIdentity.hash }

  /// Who it is; never the tokens.
  public override var description: String {
    "SFUserAccount(\(underlying.map { "\($0.identity)" } ?? "\(accountIdentity)"))"
  }
  public override var debugDescription: String { description }
}

extension SFUserAccount: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

/// Whether a user is logged in to an account.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFUserAccountLoginState: UInt, Sendable, CaseIterable {
  /// No user is logged in.
  case notLoggedIn = 0
  /// A user is logged in.
  case loggedIn
  /// The user is being logged out.
  case loggingOut

  init(_ state: SalesforceLoginState) {
    switch state {
    case .notLoggedIn: self = .notLoggedIn
    case .loggedIn: self = .loggedIn
    case .loggingOut: self = .loggingOut
    }
  }
}
