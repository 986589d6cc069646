public import Foundation
internal import Ostiary
internal import OstiarySalesforce

/// An account's tokens, and what the server said with them, as they are when they are asked for: they change whenever the
/// tokens are renewed, and are gone when the account is logged out.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, for reading. Nothing here shows a token unless it is
/// asked for by its name.
public final class SFOAuthCredentials: NSObject, Sendable {
  private let account: SalesforceAccount

  init(_ account: SalesforceAccount) {
    self.account = account
    super.init()
  }

  /// The connected app's consumer key.
  public var clientId: String? { account.tokens?.clientID }
  /// What requests carry.
  public var accessToken: String? { account.tokens?.accessToken.reveal() }
  /// What newer access tokens are given for.
  public var refreshToken: String? { account.tokens?.refreshToken?.reveal() }
  /// Where the org is.
  public var instanceUrl: URL? { account.tokens?.instanceURL }
  /// Where the community is, for members of one.
  public var communityUrl: URL? { account.tokens?.communityURL }
  /// The community's identifier.
  public var communityId: String? { account.tokens?.communityID }
  /// The address that says who the user is.
  public var identityUrl: URL? { account.tokens?.identityURL }
  /// Where the org's interfaces are called: the community where there is one, the instance otherwise.
  public var apiUrl: URL? { account.tokens?.apiURL }
  /// The user's identifier, of 18 characters.
  public var userId: String? { account.identity.userID.id18 }
  /// The org's identifier, of 18 characters.
  public var organizationId: String? { account.identity.orgID.id18 }

  /// Whose they are.
  public override var description: String { "SFOAuthCredentials(\(account.identity))" }
  public override var debugDescription: String { description }
}

extension SFOAuthCredentials: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
