#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Foundation
  internal import Ostiary
  internal import OstiaryExperiences
  internal import SwiftUI
  internal import UIKit

  // It has been type-checked against stubs after Apple's documentation, and has not run on a device.
  extension PrimerService {
    @MainActor
    static func openOutside(_ url: URL) {
      UIApplication.shared.open(url)
    }

    /// Presents an experience over what is on top, takes it down while it is paused, so that the app can be used, and takes it away
    /// when it is over.
    @MainActor
    static func presentOnTop(_ runner: ExperienceRunner, _ settings: PMRExperienceSettings) {
      let stage = ExperienceStage(runner, settings)
      MainActorDelivery.deliver {
        var presentation = ExperiencePresentation()
        for await moment in runner.snapshots() { await stage.take(presentation.step(moment)) }
        await stage.take(presentation.end())
      }
    }
  }

  /// Where an experience is shown: the app's own view controllers, or a window over them.
  @MainActor
  private final class ExperienceStage {
    private let controller: UIHostingController<ExperienceView>
    private let settings: PMRExperienceSettings
    private var window: UIWindow?

    init(_ runner: ExperienceRunner, _ settings: PMRExperienceSettings) {
      self.settings = settings
      controller = UIHostingController(rootView: ExperienceView(runner, theme: settings.theme))
      controller.modalPresentationStyle = .fullScreen
    }

    private var scene: UIWindowScene? {
      UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }.first
    }

    func take(_ step: ExperiencePresentation.Step?) async {
      switch step {
      case .show: await show()
      case .withdraw: await withdraw()
      case .remove:
        await withdraw()
        window = nil
      case nil: break
      }
    }

    private func show() async {
      guard controller.presentingViewController == nil else { return }
      if settings.shouldUseWindowBasedPresentation, window == nil, let scene {
        let own = UIWindow(windowScene: scene)
        own.rootViewController = UIViewController()
        own.windowLevel = .normal + 1
        window = own
      }
      window?.makeKeyAndVisible()
      var top =
        window?.rootViewController ?? settings.presentingViewController ?? scene?.keyWindow?.rootViewController
      while let next = top?.presentedViewController { top = next }
      let (end, done) = AsyncStream.makeStream(of: Void.self)
      top?.present(controller, animated: settings.shouldPresentAnimated) { done.finish() }
      // UIKit refuses without a word to present over a view that is in no window.
      if controller.presentingViewController == nil { done.finish() }
      for await _ in end {}
    }

    private func withdraw() async {
      // What the experience has presented itself, such as a list of options, goes along.
      if let base = controller.presentingViewController {
        let (end, done) = AsyncStream.makeStream(of: Void.self)
        base.dismiss(animated: settings.shouldDismissAnimated) { done.finish() }
        for await _ in end {}
      }
      window?.isHidden = true
    }
  }
#endif
