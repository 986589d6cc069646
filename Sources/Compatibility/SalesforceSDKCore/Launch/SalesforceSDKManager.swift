public import Foundation
internal import Ostiary

/// The start of an app: reads its `bootconfig.plist`, takes up the accounts that rest on the device, and logs a user in when there is none.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK, as far as logging in needs it: passcodes, snapshots, analytics and the
/// developer's screens are not part of it. Blocks are called on the main actor.
public final class SalesforceSDKManager: NSObject, Sendable {
  private struct State: Sendable {
    var isLaunching = false
    var postLaunch: SFSDKPostLaunchCallbackBlock?
    var launchError: SFSDKLaunchErrorCallbackBlock?
    var postLogout: SFSDKLogoutCallbackBlock?
    var switchUser: SFSDKSwitchUserCallbackBlock?
  }

  private let accounts: SFUserAccountManager
  private let state = Locked(State())

  private static let process = SalesforceSDKManager(accounts: .sharedInstance())

  package init(accounts: SFUserAccountManager) {
    self.accounts = accounts
    super.init()
    accounts.onSwitch { [weak self] old, new in self?.switchUserAction?(old, new) }
    accounts.onLogout { [weak self] in self?.postLogoutAction?() }
  }

  /// The process's own.
  public class func shared() -> SalesforceSDKManager { process }

  /// Makes the process's own, which listens from then on.
  public class func initializeSDK() { _ = process }

  /// What the app's `bootconfig.plist` says, or what the app has put in its place. What is set on it before the first other call counts.
  public var appConfig: SFSDKAppConfig? {
    get { accounts.bootConfig }
    set { accounts.bootConfig = newValue }
  }

  /// Called when the start is over.
  public var postLaunchAction: SFSDKPostLaunchCallbackBlock? {
    get { state.withLock { $0.postLaunch } }
    set { state.withLock { $0.postLaunch = newValue } }
  }
  /// Called when no user could be logged in at the start.
  public var launchErrorAction: SFSDKLaunchErrorCallbackBlock? {
    get { state.withLock { $0.launchError } }
    set { state.withLock { $0.launchError = newValue } }
  }
  /// Called when the current user has been logged out.
  public var postLogoutAction: SFSDKLogoutCallbackBlock? {
    get { state.withLock { $0.postLogout } }
    set { state.withLock { $0.postLogout = newValue } }
  }
  /// Called when another account is the current one.
  public var switchUserAction: SFSDKSwitchUserCallbackBlock? {
    get { state.withLock { $0.switchUser } }
    set { state.withLock { $0.switchUser = newValue } }
  }

  /// Whether a start is under way.
  public var isLaunching: Bool { state.withLock { $0.isLaunching } }

  /// Starts: takes up the accounts, and logs a user in when there is none and `bootconfig.plist` does not say otherwise.
  /// - Returns: whether that has begun; `false` while it is under way.
  @discardableResult
  public func launch() -> Bool {
    let begins = state.withLock { state -> Bool in
      defer { state.isLaunching = true }
      return !state.isLaunching
    }
    guard begins else { return false }
    CapturedCall(.success(accounts)).start {
      try await $0.loadAccounts()
    } completion: { [self] outcome in
      await logIn(after: outcome)
    }
    return true
  }

  @MainActor
  private func logIn(after loading: Result<Void, any Error>) {
    if case .failure(let error) = loading { return end { $0.launchError?(error, []) } }
    if accounts.currentUser != nil { return end { $0.postLaunch?(.alreadyAuthenticated) } }
    guard appConfig?.shouldAuthenticate ?? true else { return end { $0.postLaunch?(.authBypassed) } }
    accounts.login { [self] _, _ in
      end { $0.postLaunch?(.authenticated) }
    } failure: { [self] _, error in
      end { $0.launchError?(error, []) }
    }
  }

  @MainActor
  private func end(_ tell: (State) -> Void) {
    tell(
      state.withLock { state -> State in
        state.isLaunching = false
        return state
      })
  }

  /// The names of what a start did, for a log.
  public class func launchActionsStringRepresentation(_ launchActions: SFSDKLaunchAction) -> String {
    let names: [(SFSDKLaunchAction, String)] = [
      (.alreadyAuthenticated, "already authenticated"), (.authenticated, "authenticated"),
      (.authBypassed, "authentication bypassed"), (.passcodeVerified, "passcode verified"),
    ]
    let words = names.filter { launchActions.contains($0.0) }.map(\.1)
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }
}
