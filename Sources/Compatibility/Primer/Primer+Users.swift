internal import Foundation
internal import Ostiary
internal import OstiaryExperiences

extension Primer {
  /// Whether an experience is presented at each launch until a user has logged in; otherwise once. Without a call the
  /// document decides, in which it is `true` unless it says otherwise.
  public class func setRequiresLogin(_ requiresLogin: Bool) {
    service.state.withLock { $0.requiresLogin = requiresLogin }
  }

  /// The user.
  public class func currentUser() -> PMRUser { PMRUser(service) }

  /// Notes that a user has signed up on another way than through an experience. Where a user is signed in already this may be
  /// another person, of whom nothing is known yet: use ``signUpUser(withID:)``.
  public class func signUpUser() {
    service.user.signUp()
  }

  /// Notes that a user has signed up on another way than through an experience.
  public class func signUpUser(withID userID: String) {
    service.user.signUp(as: userID)
  }

  /// Notes that a user has logged in on another way than through an experience. Where a user is signed in already this may be
  /// another person, of whom nothing is known yet: use ``logInUser(withID:)``.
  public class func logInUser() {
    service.user.logIn()
  }

  /// Notes that a user has logged in on another way than through an experience.
  public class func logInUser(withID userID: String) {
    service.user.logIn(as: userID)
  }

  /// Notes that the user has logged out: everything that is known of them is forgotten, also what they have entered in an
  /// experience that is open.
  public class func logOutUser() {
    service.user.logOut()
  }

  /// Attaches properties to the user for good, and to all events from now on. Experiences can have them in their texts.
  /// - Parameter properties: texts, numbers, booleans, dates, and lists of these.
  public class func appendUserProperties(_ properties: [AnyHashable: Any]) {
    let (taken, refused) = PropertyBridge.properties(properties)
    service.log.refused(refused, "user properties")
    service.user.append(taken)
  }

  // MARK: Events

  /// Tracks an event, which goes with the next batch.
  /// - Parameter parameters: texts, numbers, booleans, dates, and lists of these.
  public class func trackEvent(withName name: String, parameters: [AnyHashable: Any]?) {
    let (taken, refused) = PropertyBridge.properties(parameters)
    service.log.refused(refused, "parameters of an event")
    service.user.track(name, taken)
  }

  /// Leaves out of events, and of requests for experiences, what tells who a person is; `false` at first.
  public class func setSanitizeEnabled(_ isEnabled: Bool) {
    service.state.withLock { $0.sanitizes = isEnabled }
    service.user.events?.sanitizes = isEnabled
  }

  // MARK: What makes no difference here

  /// Does nothing: which notifications are allowed makes no difference here.
  public class func applicationDidRegisterUserNotificationSettings() {}

  /// Does nothing: the advertising identifier is never read.
  public class func setShouldUseIDFA(_ shouldUse: Bool) {}

  /// Does nothing: connections are HTTPS.
  public class func setShouldUseOptimizedConnection(_ shouldUse: Bool) {}
}

extension Primer {
  /// Sets how much is told in the log; ``PMRLoggingLevel/warning`` at first. (The vendor's SDK was silent where an app's token was one
  /// of a live environment, which this module can't tell.)
  public class func setLoggingLevel(_ loggingLevel: PMRLoggingLevel) {
    service.log.level = loggingLevel
  }
}
