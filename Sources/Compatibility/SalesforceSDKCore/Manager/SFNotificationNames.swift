public import Foundation

// The vendor's header names these constants and publishes no text of theirs; an app's settings can say one.

/// Posted before a user logs in.
public let kSFNotificationUserWillLogIn = SalesforceSDKName.willLogIn.current
/// Posted when a user has logged in.
public let kSFNotificationUserDidLogIn = SalesforceSDKName.didLogIn.current
/// Posted when the user has cancelled logging in. (Spelled so from version 7 on.)
public let kSFNotificationUserCancelledAuth = SalesforceSDKName.cancelledAuth.current
/// Posted when the user has cancelled logging in.
public let kSFNotificationUserCanceledAuth = kSFNotificationUserCancelledAuth
/// Posted before the server's page is shown.
public let kSFNotificationUserWillShowAuthView = SalesforceSDKName.willShowAuthView.current
/// Posted before an account's session and tokens go: observers still find the tokens, unless the server has ended the session.
public let kSFNotificationUserWillLogout = SalesforceSDKName.willLogout.current
/// Posted when an account has been logged out.
public let kSFNotificationUserDidLogout = SalesforceSDKName.didLogout.current
/// Posted when the last account of an org has been logged out.
public let kSFNotificationOrgDidLogout = SalesforceSDKName.orgDidLogout.current
/// Posted when an account has newer tokens.
public let kSFNotificationUserDidRefreshToken = SalesforceSDKName.didRefreshToken.current
/// Posted before another account becomes the current one: observers still find the one before.
public let kSFNotificationUserWillSwitch = SalesforceSDKName.willSwitch.current
/// Posted when another account is the current one.
public let kSFNotificationUserDidSwitch = SalesforceSDKName.didSwitch.current
/// Posted when users log in elsewhere from now on.
public let kSFNotificationDidChangeLoginHost = SalesforceSDKName.didChangeLoginHost.current

/// Among a notification's user information: the ``SFUserAccount``; the org's identifier where it is about an org.
public let kSFNotificationUserInfoAccountKey = SalesforceSDKName.accountKey.current
/// Among a notification's user information: why the user was logged out, in the server's words.
public let kSFNotificationUserInfoLogoutReasonKey = SalesforceSDKName.logoutReasonKey.current
/// Among a notification's user information: the ``SFOAuthCredentials``.
public let kSFNotificationUserInfoCredentialsKey = SalesforceSDKName.credentialsKey.current
/// Among a notification's user information: the ``SFOAuthInfo``.
public let kSFNotificationUserInfoAuthTypeKey = SalesforceSDKName.authTypeKey.current
/// Among a notification's user information: the ``SFNotificationUserInfo`` of an account that has been logged out.
public let kSFNotificationUserInfoKey = SalesforceSDKName.userInfoKey.current
/// Among a notification's user information: the ``SFUserAccount`` that was the current one.
public let kSFNotificationFromUserKey = SalesforceSDKName.fromUserKey.current
/// Among a notification's user information: the ``SFUserAccount`` that is the current one.
public let kSFNotificationToUserKey = SalesforceSDKName.toUserKey.current

/// Among a notification's user information: an ``SFUserAccountChange``'s raw value.
public let SFUserAccountManagerUserChangeKey = SalesforceSDKName.userChangeKey.current
/// Among a notification's user information: the ``SFUserAccount`` that the change is about.
public let SFUserAccountManagerUserChangeUserKey = SalesforceSDKName.userChangeUserKey.current
/// Among a notification's user information: the login host before.
public let kSFLoginHostChangedNotificationOriginalHostKey = SalesforceSDKName.originalHostKey.current
/// Among a notification's user information: the login host from now on.
public let kSFLoginHostChangedNotificationUpdatedHostKey = SalesforceSDKName.updatedHostKey.current

/// Where users log in when nothing else is configured.
public let kSFUserAccountOAuthLoginHostDefault = "login.salesforce.com"
/// The entry of an app's Info.plist that says where users log in.
public let kSFUserAccountOAuthLoginHost = "SFDCOAuthLoginHost"

extension Notification.Name {
  /// A user has logged in, or another account is the current one.
  public static let SFUserAccountManagerDidChangeUser = Notification.Name(SalesforceSDKName.didChangeUser.current)
  /// The tokens of an account have changed.
  public static let SFUserAccountManagerDidChangeUserData = Notification.Name(
    SalesforceSDKName.didChangeUserData.current)
  /// A user has logged in, and what the server says of them is known.
  public static let SFUserAccountManagerDidFinishUserInit = Notification.Name(
    SalesforceSDKName.didFinishUserInit.current)
  /// Users log in elsewhere from now on.
  public static let SFLoginHostChanged = Notification.Name(SalesforceSDKName.loginHostChanged.current)
}

/// Who has been logged out: what an app needs to remove what it has kept for the user.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK.
public final class SFNotificationUserInfo: NSObject, Sendable {
  /// Who it was.
  public let accountIdentity: SFUserAccountIdentity
  /// The community's identifier, for members of one.
  public let communityId: String?

  init(_ account: SFUserAccount, communityId: String?) {
    accountIdentity = account.accountIdentity
    self.communityId = communityId
    super.init()
  }
}
