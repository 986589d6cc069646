public import Foundation
public import OstiaryExperiences

/// An experience that the app shows itself, where there is no `UIViewController`: what draws it does so by its runner.
///
/// On iOS and visionOS ``Primer/Primer/loadExperience(completion:)`` gives a view controller instead.
public final class PMRExperienceController: NSObject, Sendable {
  /// What runs the experience. Presenting it is what `present(_:animated:)` is on iOS.
  public let runner: ExperienceRunner

  init(_ runner: ExperienceRunner) {
    self.runner = runner
    super.init()
  }
}

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import UIKit

  /// What shows an experience.
  public typealias PMRViewController = UIViewController
#else
  /// What shows an experience.
  public typealias PMRViewController = PMRExperienceController
#endif
