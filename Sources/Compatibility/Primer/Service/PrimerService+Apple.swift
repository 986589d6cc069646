#if os(iOS) || os(visionOS)
  internal import Ostiary
  internal import OstiaryExperiences
  internal import SwiftUI
  internal import UIKit

  // It has been written against Apple's documentation and has not run on a device.
  extension PrimerService {
    @MainActor
    static func openOutside(_ url: URL) {
      UIApplication.shared.open(url)
    }

    /// Presents an experience over what is on top, hides it while it is paused, and takes it away when it is over.
    @MainActor
    static func presentOnTop(_ runner: ExperienceRunner, _ settings: PMRExperienceSettings) {
      let controller = UIHostingController(rootView: ExperienceView(runner))
      controller.modalPresentationStyle = .fullScreen
      var window: UIWindow?
      let scene = UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }.first
      if settings.shouldUseWindowBasedPresentation, let scene {
        let own = UIWindow(windowScene: scene)
        own.rootViewController = UIViewController()
        own.windowLevel = .normal + 1
        own.makeKeyAndVisible()
        window = own
      }
      let base = window?.rootViewController ?? settings.presentingViewController ?? scene?.keyWindow?.rootViewController
      var top = base
      while let next = top?.presentedViewController { top = next }
      top?.present(controller, animated: settings.shouldPresentAnimated)
      MainActorDelivery.deliver {
        for await moment in runner.snapshots() { controller.view.isHidden = moment.phase == .paused }
        controller.dismiss(animated: settings.shouldDismissAnimated) { window?.isHidden = true }
      }
    }
  }
#endif
