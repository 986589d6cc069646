// The names that Swift sees from version 7 of the vendor's SDK on: the same classes under newer names.

/// ``SFUserAccountManager``, as it is called from version 7 on.
public typealias UserAccountManager = SFUserAccountManager
/// ``SFUserAccountManagerDelegate``, as it is called from version 7 on. It has the methods under both names.
public typealias UserAccountManagerDelegate = SFUserAccountManagerDelegate
/// ``SFUserAccount``, as it is called from version 7 on.
public typealias UserAccount = SFUserAccount
/// ``SFUserAccountIdentity``, as it is called from version 7 on.
public typealias UserAccountIdentity = SFUserAccountIdentity
/// ``SFOAuthCredentials``, as it is called from version 7 on.
public typealias OAuthCredentials = SFOAuthCredentials
/// ``SFIdentityData``, as it is called from version 7 on.
public typealias IdentityData = SFIdentityData
/// ``SFOAuthInfo``, as it is called from version 7 on.
public typealias AuthInfo = SFOAuthInfo
/// ``SFSDKAppConfig``, as it is called from version 7 on.
public typealias BootConfig = SFSDKAppConfig
/// ``SFUserAccountManagerSuccessCallbackBlock``, as it is called from version 7 on.
public typealias AccountManagerSuccessCallbackBlock = SFUserAccountManagerSuccessCallbackBlock
/// ``SFUserAccountManagerFailureCallbackBlock``, as it is called from version 7 on.
public typealias AccountManagerFailureCallbackBlock = SFUserAccountManagerFailureCallbackBlock

extension SFUserAccount {
  /// ``SFUserAccountLoginState``, as it is called from version 7 on.
  public typealias LoginState = SFUserAccountLoginState
  /// ``SFUserAccountScope``, as it is called from version 7 on.
  public typealias AccountScope = SFUserAccountScope
  /// ``SFUserAccountChange``, as it is called from version 7 on.
  public typealias AccountChange = SFUserAccountChange
  /// ``SFUserAccountDataChange``, as it is called from version 7 on.
  public typealias AccountDataChange = SFUserAccountDataChange
}

/// What went wrong, and how the user was to log in.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum UserAccountManagerError: Error {
  /// A login.
  case loginFailed(underlyingError: any Error, authInfo: AuthInfo)
  /// A login with an assertion.
  case loginJWTFailed(underlyingError: any Error, authInfo: AuthInfo)
  /// A refresh.
  case refreshFailed(underlyingError: any Error, authInfo: AuthInfo)
  /// A login of another user.
  case userSwitchFailed(underlyingError: any Error)
  /// A login of another user, for no known reason. Never used here: there is always a reason.
  case userSwitchFailedUnknown
}

/// Why an account is logged out.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK. The server is told a reason of its own list.
public enum SFLogoutReason: Int, Sendable, CaseIterable {
  /// The app's state can't be used.
  case corruptState
  /// So it is by the app's configuration.
  case corruptStateAppConfigurationSettings
  /// So it is because a provider knows no such user.
  case corruptStateAppProviderErrorInvalidUser
  /// So it is because the app has no REST client.
  case corruptStateAppInvalidRestClient
  /// So it is for another reason of the app's.
  case corruptStateAppOther
  /// So it is for a reason of the SDK's.
  case corruptStateMSDK
  /// The token is over.
  case tokenExpired
  /// A policy.
  case ssdkPolicy
  /// Time has run out.
  case timeout
  /// Something unexpected.
  case unexpected
  /// An unexpected answer.
  case unexpectedResponse
  /// Not known.
  case unknown
  /// The user wanted it.
  case userInitiated
}
