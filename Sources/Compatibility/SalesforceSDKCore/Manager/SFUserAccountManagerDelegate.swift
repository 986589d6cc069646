internal import Ostiary

/// Hears of changes of the current account and of logins that failed. Everything is optional, and everything is called on the main actor.
///
/// A drop-in for the protocol of this name in Salesforce's Mobile SDK.
@preconcurrency @MainActor
public protocol SFUserAccountManagerDelegate: AnyObject {
  /// Whether there is a network. Never asked: a request that can't be sent says so.
  func userAccountManagerIsNetworkAvailable(_ userAccountManager: SFUserAccountManager) -> Bool

  /// Tells that a login or a refresh failed. The call's own failure block is called afterwards in either case.
  func userAccountManager(_ userAccountManager: SFUserAccountManager, error: any Error, info: SFOAuthInfo) -> Bool

  /// Tells that another account is about to become the current one. The switch waits for this.
  /// - Parameters:
  ///   - fromUser: the current account; one without identifiers when no user is logged in.
  ///   - toUser: the next one; `nil` for none.
  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, willSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?)

  /// Tells that another account is the current one.
  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, didSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?)

  /// `userAccountManager(_:error:info:)`, as it is called from version 7 on. An app has one of the two.
  func userAccountManager(
    accountManager: SFUserAccountManager, didFailAuthenticationWith error: any Error, info: SFOAuthInfo
  ) -> Bool

  /// `userAccountManager(_:willSwitchFromUser:toUser:)`, as it is called from version 7 on.
  func userAccountManager(
    accountManager: SFUserAccountManager, willSwitchFrom currentUser: SFUserAccount, to newUser: SFUserAccount?)

  /// `userAccountManager(_:didSwitchFromUser:toUser:)`, as it is called from version 7 on.
  func userAccountManager(
    accountManager: SFUserAccountManager, didSwitchFrom previousUser: SFUserAccount, to currentUser: SFUserAccount?)
}

extension SFUserAccountManagerDelegate {
  public func userAccountManagerIsNetworkAvailable(_ userAccountManager: SFUserAccountManager) -> Bool { true }
  public func userAccountManager(
    _ userAccountManager: SFUserAccountManager, error: any Error, info: SFOAuthInfo
  ) -> Bool { false }
  public func userAccountManager(
    _ userAccountManager: SFUserAccountManager, willSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {}
  public func userAccountManager(
    _ userAccountManager: SFUserAccountManager, didSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {}
  public func userAccountManager(
    accountManager: SFUserAccountManager, didFailAuthenticationWith error: any Error, info: SFOAuthInfo
  ) -> Bool { false }
  public func userAccountManager(
    accountManager: SFUserAccountManager, willSwitchFrom currentUser: SFUserAccount, to newUser: SFUserAccount?
  ) {}
  public func userAccountManager(
    accountManager: SFUserAccountManager, didSwitchFrom previousUser: SFUserAccount, to currentUser: SFUserAccount?
  ) {}
}

/// A delegate, which is not kept alive.
struct WeakManagerDelegate {
  weak var delegate: (any SFUserAccountManagerDelegate)?
}

extension SFUserAccountManager {
  /// Adds a delegate. It is not kept alive.
  public func add(_ delegate: any SFUserAccountManagerDelegate) {
    delegates.withLock { delegates in
      delegates.removeAll { $0.delegate == nil || $0.delegate === delegate }
      delegates.append(WeakManagerDelegate(delegate: delegate))
    }
  }

  /// Removes a delegate.
  public func remove(_ delegate: any SFUserAccountManagerDelegate) {
    delegates.withLock { $0.removeAll { $0.delegate == nil || $0.delegate === delegate } }
  }

  /// Tells every delegate that a login or a refresh failed.
  @MainActor
  func tellDelegates(_ error: any Error, _ information: SFOAuthInfo) {
    eachDelegate {
      _ = $0.userAccountManager(self, error: error, info: information)
      _ = $0.userAccountManager(accountManager: self, didFailAuthenticationWith: error, info: information)
    }
  }

  /// Calls every delegate, in the order in which they were added.
  @MainActor
  func eachDelegate(_ call: (any SFUserAccountManagerDelegate) -> Void) {
    var present: [any SFUserAccountManagerDelegate] = []
    delegates.withLock { present = $0.compactMap(\.delegate) }
    for delegate in present { call(delegate) }
  }
}
