// The names of the vendor's constants. Their texts were never published; these are Ostiary's.

/// A launch of the app.
public let PMRSessionStartedEvent = PMREvent.sessionStarted
/// A user has signed up.
public let PMRSignupEvent = PMREvent.signup
/// A user has logged in.
public let PMRLoginEvent = PMREvent.login
/// A known user has logged in with Facebook.
public let PMRFacebookLoginEvent = PMREvent.facebookLogin
/// A user has logged out.
public let PMRLogoutEvent = PMREvent.logout
/// A flow was shown.
public let PMRFlowStartedEvent = PMREvent.flowStarted
/// A flow came to its end.
public let PMRFlowCompletedEvent = PMREvent.flowCompleted
/// A flow was left before its end.
public let PMRFlowSkippedEvent = PMREvent.flowSkipped
/// A screen was shown.
public let PMRScreenDisplayedEvent = PMREvent.screenDisplayed
/// An action was used.
public let PMRActionTappedEvent = PMREvent.actionTapped
/// A permission is asked for.
public let PMRPermissionRequestedEvent = PMREvent.permissionRequested
/// A permission was granted. Here none ever is.
public let PMRPermissionGrantedEvent = PMREvent.permissionGranted
/// A permission was denied.
public let PMRPermissionDeniedEvent = PMREvent.permissionDenied
/// The system does not let a permission be asked for. It does not happen here.
public let PMRPermissionRestrictedEvent = "permission_restricted"
/// A product was bought. It does not happen here: purchases are not part of this module.
public let PMRPurchasedEvent = "purchased"
/// A subscription was bought. It does not happen here.
public let PMRSubscribedEvent = "subscribed"
/// A purchase was cancelled. It does not happen here.
public let PMRInAppPurchaseCancelledEvent = "in_app_purchase_cancelled"
/// The system does not let the user buy. It does not happen here.
public let PMRInAppPurchaseRestrictedEvent = "in_app_purchase_restricted"
/// A purchase failed. It does not happen here.
public let PMRInAppPurchaseFailedEvent = "in_app_purchase_failed"
