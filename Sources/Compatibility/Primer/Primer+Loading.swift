extension Primer {
  /// The view controller of the experience that is on the screen, or paused; `nil` when there is none. (The vendor's headers that
  /// we have don't show its type.)
  @preconcurrency @MainActor
  public class func currentExperience() -> PMRViewController? { service.currentController }

  /// Loads the experience that is needed by what is known of the user, for the app to show.
  /// - Parameter completion: takes its view controller; `nil` when none is needed or there is none. The experience begins when the
  ///   app presents it, and counts as presented from then on.
  @preconcurrency
  public class func loadExperience(completion: @escaping @MainActor @Sendable (PMRViewController?) -> Void) {
    service.load(.automatic, completion)
  }

  /// Loads an experience, for the app to show. See ``loadExperience(completion:)``.
  @preconcurrency
  public class func load(
    _ type: PMRExperienceType, withCompletion completion: @escaping @MainActor @Sendable (PMRViewController?) -> Void
  ) {
    service.load(type, completion)
  }

  /// Loads an experience, for the app to show: ``load(_:withCompletion:)`` by the name that the vendor's header has.
  @preconcurrency
  public class func loadExperienceType(
    _ type: PMRExperienceType, withCompletion completion: @escaping @MainActor @Sendable (PMRViewController?) -> Void
  ) {
    service.load(type, completion)
  }
}
