internal import Foundation
internal import Ostiary
public import OstiaryExperiences

extension Primer {
  /// Sets who handles what users enter. It is not kept alive. While there is none, or it is gone, nothing is accepted: users
  /// stay on their screen, which tells them that the app does not answer, and the log says why.
  public class func setExperienceDelegate(_ delegate: (any PMRExperienceDelegate)?) {
    service.setDelegate(delegate)
  }

  // MARK: Presenting

  /// Presents an experience, if what is known of the user says that one is needed.
  public class func presentExperience() {
    service.present(nil, completion: nil)
  }

  /// Presents an experience.
  public class func presentExperience(with settings: PMRExperienceSettings) {
    service.present(settings, completion: nil)
  }

  /// Presents an experience, if what is known of the user says that one is needed.
  /// - Parameter completion: takes whether one was presented. One that is on the screen already isn't presented again.
  @preconcurrency
  public class func presentExperience(completion: (@MainActor @Sendable (_ success: Bool) -> Void)?) {
    service.present(nil, completion: completion)
  }

  /// Presents an experience.
  @preconcurrency
  public class func presentExperience(
    with settings: PMRExperienceSettings, andCompletion completion: (@MainActor @Sendable (_ success: Bool) -> Void)?
  ) {
    service.present(settings, completion: completion)
  }

  /// Whether an experience is on the screen, or paused.
  public class func isPresentingExperience() -> Bool { service.runner != nil }

  /// What runs the experience that is on the screen; `nil` when none is. (Not in the vendor's SDK.)
  public class var currentRunner: ExperienceRunner? { service.runner }

  /// Closes the experience.
  public class func dismissExperience() {
    service.dismiss(completion: nil)
  }

  /// Closes the experience.
  /// - Parameter completion: takes whether there was one.
  @preconcurrency
  public class func dismissExperience(completion: (@MainActor @Sendable (_ success: Bool) -> Void)?) {
    service.dismiss(completion: completion)
  }

  // MARK: What is on the screen

  /// Validates the screen and goes to the next one.
  public class func goToNextExperienceScreen() {
    service.runner?.goToNextScreen()
  }

  /// Hides the experience, which keeps what was entered. It does not close it.
  public class func pauseExperience() {
    service.runner?.pause()
  }

  /// Hides the experience.
  /// - Parameter completion: takes whether it was shown.
  @preconcurrency
  public class func pauseExperience(completion: (@MainActor @Sendable (_ success: Bool) -> Void)?) {
    let isPaused = service.runner?.pause() ?? false
    MainActorDelivery.deliver { completion?(isPaused) }
  }

  /// Shows the experience again.
  public class func resumeExperience() {
    service.runner?.resume()
  }

  /// Shows the experience again.
  /// - Parameter completion: takes whether it was paused.
  @preconcurrency
  public class func resumeExperience(completion: (@MainActor @Sendable (_ success: Bool) -> Void)?) {
    let isShown = service.runner?.resume() ?? false
    MainActorDelivery.deliver { completion?(isShown) }
  }

  /// Sets off a trigger of the screen.
  /// - Returns: whether the screen has it.
  @discardableResult
  public class func fireTrigger(_ trigger: String) -> Bool {
    service.runner?.fireTrigger(trigger) ?? false
  }
}
