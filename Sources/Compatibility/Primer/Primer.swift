public import Foundation
internal import Ostiary
public import OstiaryExperiences
public import OstiaryFacebook

/// Onboarding: shows experiences, hands what users enter to the app, and knows who is logged in.
///
/// A drop-in for the class of this name in Primer's SDK 3.6, on Ostiary. The vendor's service is gone: experiences come from
/// documents that the app brings (``setExperience(_:for:)``) or from a server of its own (``setServerURL(_:)``). Everything may
/// be called from any thread; the delegate and completion blocks are called on the main actor, each completion block exactly
/// once. On Linux that takes a main thread that runs the main queue, as an `async` main does.
///
/// What the vendor did about purchases, attribution and deep links is not part of it.
public final class Primer: NSObject, Sendable {
  static var service: PrimerService { .current }

  private override init() {
    super.init()
  }

  /// The version of the vendor's SDK whose calls this module has.
  public class func version() -> String { "3.6.0" }

  // MARK: Starting

  /// Begins a session with the token that the app's Info.plist has under `PrimerToken`.
  public class func start() {
    service.start(token: nil)
  }

  /// Begins a session.
  /// - Parameter token: the app's key; a server of the app's own may want one.
  public class func start(withToken token: String) {
    service.start(token: token)
  }

  /// Begins a session with what the app was launched with, which makes no difference here.
  public class func start(withOptions options: [AnyHashable: Any]?) {
    service.start(token: nil)
  }

  /// Begins a session with what the app was launched with, which makes no difference here.
  public class func start(withToken token: String, options: [AnyHashable: Any]?) {
    service.start(token: token)
  }

  /// Whether a session has begun. Before that nothing is presented.
  public class func isInitialized() -> Bool { service.state.withLock { $0.isInitialized } }

  /// Makes starting wait for ``delayedLaunch(withOptions:)``; `false` at first. To be called before starting.
  public class func setDelayedLaunchEnabled(_ isEnabled: Bool) {
    service.state.withLock { $0.isLaunchDelayed = isEnabled }
  }

  /// Begins the session that starting has put off.
  public class func delayedLaunch(withOptions options: [AnyHashable: Any]?) {
    guard service.state.withLock({ $0.isLaunchDelayed }) else { return }
    service.launch()
  }

  // MARK: Where things come from (not in the vendor's SDK)

  /// Sets the server that has experiences and takes events: `GET …/v1/experience` and `POST …/v1/events`. By default the
  /// one that the app's Info.plist names under `PrimerServer`; `nil` is none.
  public class func setServerURL(_ url: URL?) {
    service.setServer(url)
  }

  /// Brings an experience with the app, in place of what a server would have.
  /// - Parameters:
  ///   - document: the experience, as JSON.
  ///   - type: what it is for; ``PMRExperienceType/automatic`` is for new users, too.
  /// - Throws: ``/OstiaryExperiences/InvalidExperience`` with every problem and its place.
  public class func setExperience(_ document: Data, for type: PMRExperienceType) throws {
    let experience = try Experience(json: document)
    service.state.withLock { $0.experiences[type.kind] = experience }
  }

  /// Sets what draws experiences. Without one, on iOS they are presented over what is on top; elsewhere they run unseen,
  /// driven through ``currentRunner``.
  public class func setPresenter(_ presenter: PMRPresenter?) {
    service.state.withLock { $0.presenter = presenter }
  }

  /// Sets what draws experiences: a terminal, or what the app has written. See ``setPresenter(_:)``.
  public class func setRenderer(_ renderer: any ExperienceRenderer) {
    setPresenter { runner, _ in
      // The runner tells the delegate how it ended.
      MainActorDelivery.deliver { _ = try? await renderer.run(runner) }
    }
  }

  /// Sets what opens the addresses that an experience leads to; on iOS the system does without one.
  public class func setURLOpener(_ opener: (@MainActor @Sendable (URL) -> Void)?) {
    service.state.withLock { $0.opener = opener }
  }

  /// Sets how users log in with Facebook; without it an experience's Facebook button says that there is no such way.
  public class func setFacebookLogin(_ login: FacebookLogin?) {
    service.state.withLock { $0.facebook = login }
  }
}
