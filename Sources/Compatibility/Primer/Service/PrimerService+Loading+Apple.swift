#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Ostiary
  internal import OstiaryExperiences
  internal import SwiftUI
  internal import UIKit

  // It has been written against Apple's documentation and has not run on a device.
  extension PrimerService {
    /// The view controller of an experience that the app presents. It goes when the experience is over.
    @MainActor
    static func makeController(_ runner: ExperienceRunner) -> PMRViewController {
      let controller = UIHostingController(rootView: ExperienceView(runner))
      MainActorDelivery.deliver { [weak controller, weak runner] in
        guard let moments = runner?.snapshots() else { return }
        for await moment in moments where moment.outcome != nil { break }
        controller?.presentingViewController?.dismiss(animated: true)
      }
      return controller
    }

    /// The view controller of the experience that is on the screen.
    @MainActor
    var currentController: PMRViewController? {
      guard runner != nil else { return nil }
      for scene in UIApplication.shared.connectedScenes {
        var top = (scene as? UIWindowScene)?.keyWindow?.rootViewController
        while let controller = top {
          if controller is UIHostingController<ExperienceView> { return controller }
          top = controller.presentedViewController
        }
      }
      return nil
    }
  }
#endif
