internal import Foundation
internal import Logging
internal import Ostiary
internal import OstiaryExperiences

extension PrimerService {
  /// Finds an experience for the app to show.
  func load(
    _ type: PMRExperienceType, _ completion: @escaping @MainActor @Sendable (PMRViewController?) -> Void
  ) {
    MainActorDelivery.deliver {
      guard self.state.withLock({ $0.isInitialized }), let experience = await self.find(type) else {
        completion(nil)
        return
      }
      let runner = self.makeRunner(experience, type)
      let controller = Self.makeController(runner)
      self.follow(runner, experience, type)
      completion(controller)
    }
  }

  /// Waits until the app shows an experience that it has loaded, and from then on treats it like one that this module presents. The
  /// runner is not kept alive: one that is never shown ends with its view controller.
  @MainActor
  private func follow(_ runner: ExperienceRunner, _ experience: Experience, _ type: PMRExperienceType) {
    let moments = runner.snapshots()
    MainActorDelivery.deliver { [weak runner] in
      for await moment in moments where moment.phase != .idle { break }
      guard let runner, runner.snapshot.phase != .idle else { return }
      let shownTo = self.user.profile.anonymousID
      self.state.withLock { state in
        // Another one that is on the screen stays what the app's calls are about.
        guard state.stage.runner?.snapshot.outcome != nil || state.stage.runner == nil else { return }
        state.stage = .shown(runner)
        state.variations = (shownTo, experience.variations)
      }
      if type == .automatic || type == .newUser { self.user.noteExperienceSeen() }
      _ = try? await runner.outcome()
      self.clear(runner)
    }
  }

  /// Takes over the experiences that the app's Info.plist names, where the app has set none.
  func takeBundledExperiences() {
    for problem in environment.settings.problems { log.logger.error("The Info.plist: \(problem)") }
    let types: [String: PMRExperienceType] = [
      "newUser": .newUser, "login": .login, "recoverPassword": .recoverPassword,
    ]
    for (name, file) in environment.settings.experiences {
      guard let type = types[name], state.withLock({ $0.experiences[type.kind] }) == nil else { continue }
      do {
        let experience = try Experience(json: try Data(contentsOf: file))
        state.withLock { $0.experiences[type.kind] = experience }
      } catch {
        log.failed("The experience for \(name) that the Info.plist names can't be used", error)
      }
    }
  }

  #if !(canImport(UIKit) && !os(tvOS) && !os(watchOS))
    /// What shows an experience.
    @MainActor
    static func makeController(_ runner: ExperienceRunner) -> PMRViewController { PMRExperienceController(runner) }

    /// What shows the experience that is on the screen: the same one for the same experience.
    @MainActor
    var currentController: PMRViewController? {
      guard let runner else { return nil }
      if let known = state.withLock({ $0.controller }), known.runner === runner { return known }
      let controller = PMRExperienceController(runner)
      state.withLock { $0.controller = controller }
      return controller
    }
  #endif
}
