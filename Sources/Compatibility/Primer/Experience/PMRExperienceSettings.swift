public import Foundation
public import OstiaryExperiences

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#endif

/// How an experience is presented.
@preconcurrency @MainActor
public final class PMRExperienceSettings: NSObject {
  /// Which experience; ``PMRExperienceType/automatic`` at first.
  public var experienceType = PMRExperienceType.automatic
  /// Whether a window of its own shows it.
  public var shouldUseWindowBasedPresentation = false
  /// Whether its coming is animated.
  public var shouldPresentAnimated = true
  /// Whether its going is animated.
  public var shouldDismissAnimated = true
  #if canImport(UIKit) && !os(watchOS)
    /// What presents it; `nil` for what is on top.
    public var presentingViewController: UIViewController?
  #else
    /// What presents it; `nil` for what is on top. Where there is no UIKit, the presenter knows what it is.
    public var presentingViewController: AnyObject?
  #endif
  /// How screens look where the system's own controls draw them. (Not in the vendor's SDK, whose service decided.)
  public var theme = ExperienceTheme.system
  /// The name of the screen to begin with; `nil` for the first.
  public var screenName: String?

  /// Makes the default settings.
  public override init() {
    super.init()
  }

  /// The default settings.
  public static func settings() -> PMRExperienceSettings { PMRExperienceSettings() }
}

/// Draws experiences: gets the runner of one that has just begun, and draws its snapshots until the last one, which says that
/// it is over. A snapshot that is paused is to be hidden. (Not in the vendor's SDK, which had screens of its own.)
public typealias PMRPresenter =
  @MainActor @Sendable (
    _ runner: ExperienceRunner, _ settings: PMRExperienceSettings
  ) -> Void
