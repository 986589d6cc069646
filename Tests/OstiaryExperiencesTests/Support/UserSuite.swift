import OstiaryExperiences
import OstiaryTesting

/// A suite about users whose store fails, and whose clock moves, when a test says so.
protocol UserSuite {
  var store: FaultyStore { get }
  var clock: ManualClock { get }
}

extension UserSuite {
  /// The user as a process has it that starts.
  func makeUser(_ events: EventTracker? = nil) -> ExperienceUser {
    ExperienceUser(store: store, events: events, clock: clock)
  }
}
