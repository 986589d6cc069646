// The vendor's header names these constants and publishes no text of theirs; here each is its own name.

/// Posted before a user logs in.
public let kSFNotificationUserWillLogIn = "kSFNotificationUserWillLogIn"
/// Posted when a user has logged in.
public let kSFNotificationUserDidLogIn = "kSFNotificationUserDidLogIn"
/// Posted when the user has cancelled logging in.
public let kSFNotificationUserCancelledAuth = "kSFNotificationUserCancelledAuth"
/// Posted before an account's session and tokens go.
public let kSFNotificationUserWillLogout = "kSFNotificationUserWillLogout"
/// Posted when an account has been logged out.
public let kSFNotificationUserDidLogout = "kSFNotificationUserDidLogout"
/// Posted when the last account of an org has been logged out.
public let kSFNotificationOrgDidLogout = "kSFNotificationOrgDidLogout"
/// Posted when an account has newer tokens.
public let kSFNotificationUserDidRefreshToken = "kSFNotificationUserDidRefreshToken"
/// Posted before another account becomes the current one.
public let kSFNotificationUserWillSwitch = "kSFNotificationUserWillSwitch"
/// Posted when another account is the current one.
public let kSFNotificationUserDidSwitch = "kSFNotificationUserDidSwitch"
/// Posted when users log in elsewhere from now on.
public let kSFNotificationDidChangeLoginHost = "kSFNotificationDidChangeLoginHost"

/// Among a notification's user information: the ``SFUserAccount``; the org's identifier where it is about an org.
public let kSFNotificationUserInfoAccountKey = "account"
/// Among a notification's user information: why the user was logged out, in the server's words.
public let kSFNotificationUserInfoLogoutReasonKey = "logoutReason"
/// Among a notification's user information: the ``SFUserAccount`` that was the current one.
public let kSFNotificationFromUserKey = "fromUser"
/// Among a notification's user information: the ``SFUserAccount`` that is the current one.
public let kSFNotificationToUserKey = "toUser"
