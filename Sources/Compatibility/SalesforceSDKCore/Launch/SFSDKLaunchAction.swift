/// What the start of an app did about its user.
///
/// A drop-in for the options of this name in Salesforce's Mobile SDK.
public struct SFSDKLaunchAction: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A user was logged in already.
  public static let alreadyAuthenticated = SFSDKLaunchAction(rawValue: 1 << 0)
  /// A user has logged in.
  public static let authenticated = SFSDKLaunchAction(rawValue: 1 << 1)
  /// No user is logged in, and none was asked to.
  public static let authBypassed = SFSDKLaunchAction(rawValue: 1 << 2)
  /// A passcode was checked. Never here: passcodes are the system's.
  public static let passcodeVerified = SFSDKLaunchAction(rawValue: 1 << 3)
}

/// Gets what the start did.
public typealias SFSDKPostLaunchCallbackBlock = @MainActor @Sendable (SFSDKLaunchAction) -> Void
/// Gets why no user could be logged in at the start, and what was done before.
public typealias SFSDKLaunchErrorCallbackBlock = @MainActor @Sendable (any Error, SFSDKLaunchAction) -> Void
/// Is told that the current user has been logged out.
public typealias SFSDKLogoutCallbackBlock = @MainActor @Sendable () -> Void
/// Gets the account that was the current one, and the one that is.
public typealias SFSDKSwitchUserCallbackBlock = @MainActor @Sendable (SFUserAccount?, SFUserAccount?) -> Void
