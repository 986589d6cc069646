import Foundation
import Primer

/// What an app's delegate does with Primer.
public class AppDelegate {
  public let userManager: UserManager
  /// The names of the events that Primer has fired, as an app forwards them to its analytics.
  public private(set) var events: [String] = []
  private var observer: NSObjectProtocol?

  public init(userManager: UserManager) {
    self.userManager = userManager
  }

  /// `application(_:didFinishLaunchingWithOptions:)`
  public func didFinishLaunching(options: [AnyHashable: Any]?) {
    observer = NotificationCenter.default.addObserver(
      forName: NSNotification.Name.PMREventFired, object: nil, queue: nil
    ) { [weak self] notification in
      guard let name = notification.userInfo?[PMREventNotificationNameKey] as? String else { return }
      self?.note(name)
    }
    Primer.setLoggingLevel(.error)
    Primer.setExperienceDelegate(userManager)
    Primer.start()
  }

  /// `applicationDidBecomeActive(_:)`
  public func didBecomeActive(completion: @escaping (Bool) -> Void) {
    Primer.presentExperience { success in
      completion(success)
    }
  }

  /// The button on the app's settings screen.
  public func logOut(completion: @escaping (Bool) -> Void) {
    Primer.logOutUser()
    Primer.presentExperience(completion: completion)
  }

  /// What the settings screen shows.
  public var greeting: String {
    let user = Primer.currentUser()
    guard let id = user.userID else { return "You are not logged in." }
    return "Hello \(user.name ?? id), you see \(user.lastViewedVariation ?? "everything")."
  }

  private func note(_ name: String) {
    switch name {
    case PMRSignupEvent, PMRLoginEvent, PMRFacebookLoginEvent: events.append("entered")
    case PMRLogoutEvent: events.append("left")
    case PMRFlowStartedEvent, PMRFlowCompletedEvent, PMRFlowSkippedEvent: events.append(name)
    default: break
    }
  }

  deinit {
    if let observer = observer { NotificationCenter.default.removeObserver(observer) }
  }
}
