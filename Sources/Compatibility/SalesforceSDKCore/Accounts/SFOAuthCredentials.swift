public import Foundation
internal import Ostiary
internal import OstiarySalesforce

/// Tokens, and what the server said with them.
///
/// The credentials of an account show what there is at the moment at which they are read: they change whenever the tokens are renewed, and
/// are gone when the user is logged out. Credentials that an app makes itself hold what it puts into them, for
/// `refreshCredentials(_:completion:failure:)`. What is set on an account's credentials stays on that object: the
/// account's own tokens change by the server's answers alone.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK. No description shows a token.
public final class SFOAuthCredentials: NSObject, Sendable {
  /// What an app has set. `nil` in a value is a value that was taken away.
  private struct Own: Sendable {
    var clientId: String??
    var accessToken: Secret??
    var refreshToken: Secret??
    var instanceUrl: URL??
    var communityUrl: URL??
    var communityId: String??
    var identityUrl: URL??
    var issuedAt: Date??
    var redirectUri: String??
    var domain: String??
    var userId: String??
    var organizationId: String??
  }

  private let account: SalesforceAccount?
  private let own = Locked(Own())
  /// The name that the app has given to the credentials; an account's identity otherwise.
  public let identifier: String

  init(_ account: SalesforceAccount) {
    self.account = account
    identifier = account.identity.name
    super.init()
  }

  /// Credentials of no user.
  override init() {
    account = nil
    identifier = ""
    super.init()
  }

  /// Makes credentials for an app to fill in. Nothing of them is stored.
  /// - Parameters:
  ///   - theIdentifier: a name for them.
  ///   - theClientId: the connected app's consumer key.
  ///   - encrypted: has no effect: what is stored is always sealed, by ``SFUserAccountManager``.
  /// - Returns: `nil` without a name.
  public init?(identifier theIdentifier: String, clientId theClientId: String?, encrypted: Bool) {
    guard !theIdentifier.isEmpty else { return nil }
    account = nil
    identifier = theIdentifier
    super.init()
    clientId = theClientId
  }

  private var tokens: SalesforceTokens? { account?.presentTokens }

  /// The value that the app has set, or else the account's.
  private func value<Value: Sendable>(_ path: KeyPath<Own, Value??>, _ present: @autoclosure () -> Value?) -> Value? {
    own.withLock { $0[keyPath: path] } ?? present()
  }

  /// The connected app's consumer key.
  public var clientId: String? {
    get { value(\.clientId, tokens?.clientID) }
    set { own.withLock { $0.clientId = .some(newValue) } }
  }
  /// What requests carry.
  public var accessToken: String? {
    get { value(\.accessToken, tokens?.accessToken)?.reveal() }
    set { own.withLock { $0.accessToken = .some(newValue.map { Secret($0) }) } }
  }
  /// What newer access tokens are given for.
  public var refreshToken: String? {
    get { value(\.refreshToken, tokens?.refreshToken)?.reveal() }
    set { own.withLock { $0.refreshToken = .some(newValue.map { Secret($0) }) } }
  }
  /// Where the org is.
  public var instanceUrl: URL? {
    get { value(\.instanceUrl, tokens?.instanceURL) }
    set { own.withLock { $0.instanceUrl = .some(newValue) } }
  }
  /// Where the community is, for members of one.
  public var communityUrl: URL? {
    get { value(\.communityUrl, tokens?.communityURL) }
    set { own.withLock { $0.communityUrl = .some(newValue) } }
  }
  /// The community's identifier.
  public var communityId: String? {
    get { value(\.communityId, tokens?.communityID) }
    set { own.withLock { $0.communityId = .some(newValue) } }
  }
  /// The address that says who the user is: its last two parts are the org and the user.
  public var identityUrl: URL? {
    get { value(\.identityUrl, tokens?.identityURL) }
    set { own.withLock { $0.identityUrl = .some(newValue) } }
  }
  /// When the server gave the tokens, where it has said it.
  public var issuedAt: Date? {
    get { value(\.issuedAt, account?.issuedAt) }
    set { own.withLock { $0.issuedAt = .some(newValue) } }
  }
  /// Where the server sends the user's browser after a sign-in.
  public var redirectUri: String? {
    get { value(\.redirectUri, nil) }
    set { own.withLock { $0.redirectUri = .some(newValue) } }
  }
  /// Where the user logs in: a host, with a community's path if need be.
  public var domain: String? {
    get { value(\.domain, tokens?.loginHost?.description) }
    set { own.withLock { $0.domain = .some(newValue) } }
  }
  /// The scheme of ``domain``.
  public var `protocol`: String? { (account.flatMap { $0.presentTokens?.loginHost })?.url.scheme ?? "https" }
  /// Where the org's interfaces are called: the community where there is one, the instance otherwise.
  public var apiUrl: URL? { communityUrl ?? instanceUrl }

  /// The user's identifier: its first 15 characters, as the vendor's class has it.
  public var userId: String? {
    get { value(\.userId, identity?.userID.id15).map { String($0.prefix(15)) } }
    set { own.withLock { $0.userId = .some(newValue) } }
  }
  /// The org's identifier, as the identity URL spells it.
  public var organizationId: String? {
    get { value(\.organizationId, spelledOrgId ?? identity?.orgID.id18) }
    set { own.withLock { $0.organizationId = .some(newValue) } }
  }

  private var identity: SalesforceUserIdentity? {
    identityUrl.flatMap { SalesforceUserIdentity(identityURL: $0) } ?? account?.identity
  }
  private var spelledOrgId: String? {
    guard let parts = identityUrl?.path(percentEncoded: false).split(separator: "/"), parts.count >= 2 else {
      return nil
    }
    return String(parts[parts.count - 2])
  }

  /// Whether what is stored of them is sealed. Always.
  public var isEncrypted: Bool { true }

  /// The account whose own tokens these are; `nil` when the app has brought tokens of its own.
  var signedInAccount: SalesforceAccount? {
    let isOwn = own.withLock { $0.accessToken != nil || $0.refreshToken != nil }
    return isOwn ? nil : account
  }

  /// Where the app says that the user logs in, if it has.
  var ownDomain: String? { own.withLock { $0.domain } ?? nil }

  /// Whose they are.
  public override var description: String {
    "SFOAuthCredentials(\(account.map { "\($0.identity)" } ?? identity?.name ?? "user unknown"))"
  }
  public override var debugDescription: String { description }
}

extension SFOAuthCredentials: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
