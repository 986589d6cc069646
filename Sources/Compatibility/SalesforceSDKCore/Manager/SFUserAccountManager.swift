public import Foundation
public import OstiaryCore
public import OstiaryOAuth
package import OstiarySalesforce

/// The accounts that have logged in, and which of them is the current one.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, on Ostiary, as far as logging in needs it. It may be used
/// from any thread; completion blocks are called exactly once and notifications posted on the main actor.
///
/// Accounts rest in the keychain on Apple platforms and in encrypted files elsewhere. They are read in the background
/// from the moment ``oauthClientId`` is set, so that they are there a moment later; ``loadAccounts()`` waits for them.
/// Accounts that can't be read yet are not known, and no user is logged out for it.
public final class SFUserAccountManager: NSObject, Sendable {
  private struct State: Sendable {
    var clientId: String
    var completionUrl: String?
    var scopes: Set<String> = []
    var flow: OAuthFlow?
    var store: (any SessionStore)?
    var accounts: SalesforceAccounts?
  }

  private let environment: SFEnvironment
  private let state: Locked<State>

  private static let process = SFUserAccountManager(environment: .shared)

  package init(environment: SFEnvironment) {
    self.environment = environment
    func configured(_ key: String) -> String? { Bundle.main.object(forInfoDictionaryKey: key) as? String }
    state = Locked(
      State(clientId: configured("SFDCOAuthConsumerKey") ?? "", completionUrl: configured("SFDCOAuthRedirectUri")))
    super.init()
  }

  /// The process's own.
  public class func sharedInstance() -> SFUserAccountManager { process }

  // MARK: Configuration

  /// The connected app's consumer key. To be set before anything else; accounts belong to it.
  public var oauthClientId: String {
    get { state.withLock { $0.clientId } }
    set {
      state.withLock { state in
        guard state.clientId != newValue else { return }
        state.clientId = newValue
        state.accounts = nil
      }
      SharedWork<Void>().launch { [self] in try await loadAccounts() }
    }
  }

  /// Where the server sends the user's browser afterwards, as it is registered with the connected app.
  public var oauthCompletionUrl: String? {
    get { state.withLock { $0.completionUrl } }
    set { state.withLock { $0.completionUrl = newValue } }
  }

  /// What tokens are for, besides a refresh token, which is always asked for.
  public var scopes: Set<String> {
    get { state.withLock { $0.scopes } }
    set { state.withLock { $0.scopes = newValue } }
  }

  /// Where users log in: a host, with a community's path if need be, without a scheme. What is none changes nothing.
  public var loginHost: String {
    get { accounts.loginHost.description }
    set {
      guard let host = SalesforceLoginHost(newValue) else { return }
      environment.loginHosts.store(newValue)
      accounts.loginHost = host
    }
  }

  /// How users log in, instead of the platform's own way: the system's browser. (Not in the vendor's SDK.)
  public var authorizationFlow: OAuthFlow? {
    get { state.withLock { $0.flow } }
    set { state.withLock { $0.flow = newValue } }
  }

  /// Keeps accounts in a store of the app's own instead of the platform's place. To be called before ``oauthClientId`` is
  /// set. (Not in the vendor's SDK.)
  public func keepAccounts(in store: any SessionStore) {
    let before = state.withLock { state in
      state.store = store
      return state.accounts.take()
    }
    // A login that would land where nothing reads it is told so.
    before?.cancelSignIn()
  }

  // MARK: Accounts

  /// The current account.
  public var currentUser: SFUserAccount? { accounts.current.map { SFUserAccount($0) } }

  /// Who the current account is.
  public var currentUserIdentity: SFUserAccountIdentity? { currentUser?.accountIdentity }

  /// All accounts that are logged in.
  public func allUserAccounts() -> [SFUserAccount]? { accounts.accounts.map { SFUserAccount($0) } }

  /// Who they are.
  public func allUserIdentities() -> [SFUserAccountIdentity]? { accounts.identities.map { SFUserAccountIdentity($0) } }

  /// The account of a user, whichever spelling its identifiers have; `nil` when they are not logged in.
  public func userAccount(forUserIdentity userIdentity: SFUserAccountIdentity) -> SFUserAccount? {
    userIdentity.identity.flatMap { accounts.account(for: $0) }.map { SFUserAccount($0) }
  }

  /// The accounts of an org.
  public func accounts(forOrgId orgId: String) -> [SFUserAccount] {
    SalesforceID(orgId).map { accounts.accounts(inOrg: $0).map { SFUserAccount($0) } } ?? []
  }

  /// The accounts whose org is at an instance.
  public func accounts(forInstanceURL instanceURL: URL) -> [SFUserAccount] {
    instanceURL.host().map { accounts.accounts(atInstance: $0).map { SFUserAccount($0) } } ?? []
  }

  /// Waits until the accounts that rest on this device are known. (The vendor's call was synchronous.)
  /// - Throws: the error that kept them from being read; no user has been logged out by it.
  public func loadAccounts() async throws {
    guard !oauthClientId.isEmpty else { return }
    try await accounts.restore()
  }

  /// The accounts, as the module below knows them.
  package var accounts: SalesforceAccounts {
    state.withLock { state in
      if let accounts = state.accounts { return accounts }
      let accounts = SalesforceAccounts(
        clientID: state.clientId, loginHost: environment.loginHosts.host, transport: environment.transport,
        store: state.store ?? environment.store(), configuration: environment.accounts, clock: environment.clock)
      accounts.onEvent { [weak self] event in
        MainActorDelivery.post { self?.post(event) }
      }
      state.accounts = accounts
      return accounts
    }
  }

  /// How many accounts there are.
  public override var description: String { "SFUserAccountManager(\(accounts))" }
  public override var debugDescription: String { description }
}
