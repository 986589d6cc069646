// Types are as Swift imports the vendor's: code has been written with and without a question mark.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import OstiaryCore
public import OstiaryOAuth
package import OstiarySalesforce

/// The accounts that have logged in, and which of them is the current one.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, as Swift saw it at version 6.2, on Ostiary, as far as logging in needs it;
/// ``UserAccountManager`` is its name since. It may be used from any thread; completion blocks are called exactly once and
/// notifications posted on the main actor.
///
/// Accounts rest in the keychain on Apple platforms and in sealed files elsewhere. They are read in the background from the first call
/// on, so that they are there a moment later; the asynchronous `loadAccounts()` waits for them. Accounts that can't be
/// read yet are not known, and no user is logged out for it.
public final class SFUserAccountManager: NSObject, Sendable {
  private struct State: Sendable {
    var clientId: String?
    var completionUrl: String?
    var scopes: Set<String>?
    var flow: OAuthFlow?
    var store: (any SessionStore)?
    var accounts: SalesforceAccounts?
    var bootConfig: SFSDKAppConfig??
    var advancedAuth = SFOAuthAdvancedAuthConfiguration.none
    /// The account that was set as the current one by a call whose turn has not come.
    var chosen: (number: UInt64, account: SalesforceAccount?)?
    var choices: UInt64 = 0
  }

  let environment: SFEnvironment
  let delegates = Locked<[WeakManagerDelegate]>([])
  let listeners = Locked(ManagerListeners())
  private let state = Locked(State())

  private static let process = SFUserAccountManager(environment: .shared)

  package init(environment: SFEnvironment) {
    self.environment = environment
    super.init()
  }

  /// The process's own.
  public class func sharedInstance() -> SFUserAccountManager { process }

  // MARK: Configuration

  private var settings: SalesforceSDKSettings { (try? environment.settings().get()) ?? SalesforceSDKSettings() }

  /// What the app's `bootconfig.plist` says, which is read once, or what the app has put in its place.
  var bootConfig: SFSDKAppConfig? {
    get {
      if let known = state.withLock({ $0.bootConfig }) { return known }
      let read = environment.bootConfig()
      return state.withLock { state -> SFSDKAppConfig? in
        if let known = state.bootConfig { return known }
        state.bootConfig = .some(read)
        return read
      }
    }
    set {
      let before = oauthClientId
      state.withLock { $0.bootConfig = .some(newValue) }
      if oauthClientId != before { beginAnew() }
    }
  }

  /// The connected app's consumer key. Without one that is set here it is the app's settings', `bootconfig.plist`'s or Info.plist's
  /// (`SFDCOAuthConsumerKey`). Accounts belong to it.
  public var oauthClientId: String {
    get {
      state.withLock { $0.clientId } ?? settings.consumerKey ?? bootConfig?.stated.consumerKey
        ?? environment.info("SFDCOAuthConsumerKey") ?? ""
    }
    set {
      let before = oauthClientId
      state.withLock { $0.clientId = newValue }
      if before != newValue { beginAnew() }
    }
  }

  /// Where the server sends the user's browser afterwards, as it is registered with the connected app. Without one that is set here it is the
  /// app's settings', `bootconfig.plist`'s, Info.plist's (`SFDCOAuthRedirectUri`), or the vendor's default.
  public var oauthCompletionUrl: String {
    get {
      state.withLock { $0.completionUrl } ?? settings.callback ?? bootConfig?.stated.redirectURI
        ?? environment.info("SFDCOAuthRedirectUri") ?? "sfdc:///axm/detect/oauth/done"
    }
    set { state.withLock { $0.completionUrl = newValue } }
  }

  /// What tokens are for, besides a refresh token, which is always asked for. Without what is set here it is the app's settings' or
  /// `bootconfig.plist`'s.
  public var scopes: Set<String> {
    get { state.withLock { $0.scopes } ?? settings.scopes ?? bootConfig?.stated.scopes ?? [] }
    set { state.withLock { $0.scopes = newValue } }
  }

  /// Where users log in: a host, with a community's path if need be, without a scheme. It is never `nil`; setting `nil` goes back to what is
  /// configured, and what is no host changes nothing.
  public var loginHost: String! {
    get { accounts.loginHost.description }
    set {
      guard let newValue else {
        environment.loginHosts.store(nil)
        accounts.loginHost = environment.loginHosts.host(configured: settings.loginHost)
        return
      }
      guard let host = SalesforceLoginHost(newValue) else { return }
      environment.loginHosts.store(newValue)
      accounts.loginHost = host
    }
  }

  /// Kept for code that sets it: users always log in in the system's browser.
  public var advancedAuthConfiguration: SFOAuthAdvancedAuthConfiguration {
    get { state.withLock { $0.advancedAuth } }
    set { state.withLock { $0.advancedAuth = newValue } }
  }

  /// How users log in, instead of the platform's own way: the system's browser. (Not in the vendor's SDK.)
  public var authorizationFlow: OAuthFlow? {
    get { state.withLock { $0.flow } }
    set { state.withLock { $0.flow = newValue } }
  }

  /// Keeps accounts in a store of the app's own instead of the platform's place. To be called before the first other call. (Not in the
  /// vendor's SDK.)
  public func keepAccounts(in store: any SessionStore) {
    let before = state.withLock { state in
      state.store = store
      return state.accounts.take()
    }
    // A login that would land where nothing reads it is told so.
    before?.cancelSignIn()
  }

  /// Makes accounts for another connected app.
  private func beginAnew() {
    state.withLock { $0.accounts = nil }
    _ = accounts
  }

  // MARK: Accounts

  /// The current account. Setting one that is not logged in changes nothing; `nil` leaves the current one without logging it out.
  ///
  /// Setting posts `Notification.Name.SFUserAccountManagerDidChangeUser`, as the vendor's does; ``switch(toUser:completion:)`` also
  /// announces the change.
  public var currentUser: SFUserAccount? {
    get { current.map { SFUserAccount($0) } }
    set {
      let account = newValue?.underlying
      guard newValue == nil || account != nil else { return }
      let accounts = accounts
      let call = accounts.beginSettingCurrent(account)
      // Where an earlier call is still waiting, the app sees its choice all the same.
      let number = state.withLock { state -> UInt64 in
        state.choices += 1
        state.chosen = accounts.current === account ? nil : (state.choices, account)
        return state.choices
      }
      let isMade = { @Sendable [self] in state.withLock { if $0.chosen?.number == number { $0.chosen = nil } } }
      call.start { change in
        isMade()
        await accounts.finish(change)
      } completion: { _ in
        isMade()
      }
    }
  }

  private var current: SalesforceAccount? {
    let accounts = accounts
    guard let chosen = state.withLock({ $0.chosen }) else { return accounts.current }
    guard let account = chosen.account else { return nil }
    return account.loginState == .loggedIn ? account : accounts.current
  }

  /// Who the current account is.
  public var currentUserIdentity: SFUserAccountIdentity? { currentUser?.accountIdentity }

  /// Never: a user is logged in, or none is.
  public var isCurrentUserAnonymous: Bool { false }

  /// All accounts that are logged in.
  public func allUserAccounts() -> [SFUserAccount]? { accounts.accounts.map { SFUserAccount($0) } }

  /// Who they are, in the order of orgs and users.
  public func allUserIdentities() -> [SFUserAccountIdentity]? { allUserAccounts()?.map(\.accountIdentity) }

  /// The account of a user, whichever spelling its identifiers have; `nil` when they are not logged in.
  public func userAccount(forUserIdentity userIdentity: SFUserAccountIdentity) -> SFUserAccount? {
    userIdentity.identity.flatMap { accounts.account(for: $0) }.map { SFUserAccount($0) }
  }

  /// The account whose user the credentials are of; `nil` when they are not logged in.
  public func account(for credentials: SFOAuthCredentials) -> SFUserAccount? {
    guard let userId = credentials.userId, let orgId = credentials.organizationId else { return nil }
    return userAccount(forUserIdentity: SFUserAccountIdentity(userId: userId, orgId: orgId))
  }

  /// The accounts of an org.
  public func accounts(forOrgId orgId: String) -> [SFUserAccount] {
    SalesforceID(orgId).map { accounts.accounts(inOrg: $0).map { SFUserAccount($0) } } ?? []
  }

  /// The accounts whose org is at an instance.
  public func accounts(forInstanceURL instanceURL: URL) -> [SFUserAccount] {
    instanceURL.host().map { accounts.accounts(atInstance: $0).map { SFUserAccount($0) } } ?? []
  }

  /// The accounts whose users log in at a host.
  public func userAccounts(forDomain domain: String) -> [SFUserAccount] {
    (allUserAccounts() ?? []).filter { $0.credentials.domain?.lowercased() == domain.lowercased() }
  }

  /// The accounts, as the module below knows them.
  package var accounts: SalesforceAccounts {
    let (clientID, settings) = (oauthClientId, self.settings)
    let (accounts, isNew) = state.withLock { state -> (SalesforceAccounts, Bool) in
      if let accounts = state.accounts { return (accounts, false) }
      let accounts = SalesforceAccounts(
        clientID: clientID, loginHost: environment.loginHosts.host(configured: settings.loginHost),
        transport: environment.transport, store: state.store ?? environment.store(),
        configuration: settings.applied(to: environment.accounts), clock: environment.clock)
      accounts.onAnnouncement { [weak self, deliver = environment.deliver] announcement in
        // What the announcement says is about to happen waits until the app has been told.
        deliver { withExtendedLifetime(announcement) { self?.post(announcement.event) } }
      }
      state.accounts = accounts
      return (accounts, true)
    }
    if isNew, !clientID.isEmpty { SharedWork<Void>().launch { [self] in try await loadAccounts() } }
    return accounts
  }

  /// How many accounts there are.
  public override var description: String { "SFUserAccountManager(\(accounts))" }
  public override var debugDescription: String { description }
}

extension SalesforceSDKSettings {
  /// How accounts behave with these settings. What has its default here stays as it is.
  func applied(to configuration: SalesforceAccountsConfiguration) -> SalesforceAccountsConfiguration {
    var configuration = configuration
    let defaults = SalesforceSDKSettings()
    if apiVersion != defaults.apiVersion { configuration.apiVersion = apiVersion }
    if signOutPatience != defaults.signOutPatience { configuration.signOutPatience = .seconds(signOutPatience) }
    if observerPatience != defaults.observerPatience { configuration.observerPatience = .seconds(observerPatience) }
    return configuration
  }
}
