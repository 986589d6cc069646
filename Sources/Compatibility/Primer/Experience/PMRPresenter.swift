public import OstiaryExperiences

/// Draws experiences: gets the runner of one that has just begun, and draws its snapshots until the last one, which says that
/// it is over. A snapshot that is paused is to be hidden. (Not in the vendor's SDK, which had screens of its own.)
public typealias PMRPresenter =
  @MainActor @Sendable (
    _ runner: ExperienceRunner, _ settings: PMRExperienceSettings
  ) -> Void
