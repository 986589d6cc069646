internal import Foundation
internal import HTTPTypes
package import Ostiary
package import OstiaryExperiences
internal import OstiaryFacebook

/// What stands behind ``Primer``'s class methods.
package final class PrimerService: Sendable {
  /// What is on the screen.
  enum Stage: Sendable {
    case nothing
    /// Being looked for; the number tells one search from another.
    case loading(UInt64)
    case shown(ExperienceRunner)

    var runner: ExperienceRunner? { if case .shown(let runner) = self { runner } else { nil } }
  }

  struct State: Sendable {
    var token: String?
    var server: URL?
    var isInitialized = false
    var isLaunchDelayed = false
    var requiresLogin: Bool?
    var sanitizes = false
    var presenter: PMRPresenter?
    var opener: (@MainActor @Sendable (URL) -> Void)?
    var facebook: FacebookLogin?
    var experiences: [Experience.Kind: Experience] = [:]
    var stage = Stage.nothing
    var searches: UInt64 = 0
    /// The experiments of the last experience, and for whom it was shown.
    var variations: (user: String, [Experience.Variation]) = ("", [])
    /// What the app can show or ask about what is on the screen.
    weak var controller: PMRExperienceController?
    var user: ExperienceUser?
  }

  /// The service of this process, or of a test's task.
  @TaskLocal package static var current: PrimerService = PrimerService(environment: .shared)

  let environment: PrimerEnvironment
  let state: Locked<State>
  private let weakDelegate = Locked(WeakDelegate())
  let log: PrimerLog

  package init(environment: PrimerEnvironment) {
    self.environment = environment
    log = PrimerLog(environment.makeLogHandler)
    state = Locked(State(token: environment.settings.token, server: environment.settings.server))
  }

  /// The app's delegate, as long as the app holds it.
  @MainActor
  var delegate: (any PMRExperienceDelegate)? {
    var found: (any PMRExperienceDelegate)?
    weakDelegate.withLock { found = $0.value }
    return found
  }

  /// Sets the app's delegate.
  func setDelegate(_ delegate: (any PMRExperienceDelegate)?) {
    weakDelegate.withLock { $0.value = delegate }
  }

  // MARK: Starting

  /// Begins a session.
  func start(token: String?) {
    let isDelayed = state.withLock { state in
      if let token { state.token = token }
      // One that has begun goes on with the new token.
      return state.isLaunchDelayed && !state.isInitialized
    }
    if !isDelayed { launch() }
  }

  /// Does what ``start(token:)`` put off.
  func launch() {
    let isNew = state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
    // A token that is given later is the one from then on.
    user.events?.configuration = eventConfiguration
    guard isNew else { return }
    takeBundledExperiences()
    user.record(UserEvent.Name.sessionStarted)
  }

  /// Where events go now.
  private var eventConfiguration: EventConfiguration {
    let (server, token) = state.withLock { ($0.server, $0.token) }
    var fields = HTTPFields()
    if let token { fields[environment.settings.tokenField] = token }
    return EventConfiguration(address: server?.appending(path: environment.settings.eventsPath), headerFields: fields)
  }

  func setServer(_ url: URL?) {
    state.withLock { $0.server = url }
    user.events?.configuration = eventConfiguration
  }

  // MARK: The user

  /// The user, made at the first use.
  var user: ExperienceUser {
    state.withLock { state in
      if let user = state.user { return user }
      let store = environment.store()
      let events = EventTracker(
        EventConfiguration(), transport: environment.transport, store: store, clock: environment.clock,
        logger: log.logger)
      events.sanitizes = state.sanitizes
      let user = ExperienceUser(store: store, events: events, clock: environment.clock, logger: log.logger)
      user.onEvent { PMREventPoster.post($0) }
      state.user = user
      return user
    }
  }

  /// Waits until what is known rests in the store.
  package func persist() async throws {
    try await user.persist()
  }

  /// Delivers the events that wait.
  package func flush() async throws {
    try await user.restore()
    try await user.events?.flush()
  }

  /// Calls `observer` for every event from now on.
  package func onEvent(_ observer: @escaping @Sendable (UserEvent) -> Void) {
    user.onEvent(observer)
  }

  /// Tells the time.
  package var clock: any SessionClock { environment.clock }

  /// Opens an address that an experience leads to.
  @MainActor
  func open(_ url: URL) {
    if let opener = state.withLock({ $0.opener }) { return opener(url) }
    #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
      Self.openOutside(url)
    #endif
  }

  /// The experiments of the last experience that was shown to the present user.
  var variations: [Experience.Variation] {
    let user = user.profile.anonymousID
    return state.withLock { $0.variations.user == user ? $0.variations.1 : [] }
  }

}

/// The app's delegate, which is not kept alive. It belongs to the main actor, which alone calls it.
private struct WeakDelegate {
  weak var value: (any PMRExperienceDelegate)?
}
