internal import Foundation
public import Logging
public import OstiaryCore

/// The user of an app, as far as experiences go: who it is, what is known of them, and what they do.
///
/// It is there at once and may be used from any thread. Changes that are made before the store has been read are
/// applied to the stored value, so that no property and no user is lost. Every event carries the user and what was
/// known of them when it happened. Several processes may use one store; each sees what others have changed when it writes.
///
/// What is known is one person's. Whenever another person may be there, it is gone: after a log-out, after ``forget()``, and when
/// a user signs in where another one, or one whom the app has not named, is signed in. Experiences that are open then forget
/// the former person too, if they were given to ``attach(_:)``.
///
/// ```swift
/// let user = ExperienceUser(store: FileStore(folder: folder), events: tracker)
/// user.append(["plan": "trial", "seats": 5])
/// user.signUp(as: "u-17")
/// user.track("Invited a friend", ["count": 2])
/// ```
public final class ExperienceUser: Sendable {
  private struct Observers {
    var next: UInt64 = 0
    var all: [UInt64: @Sendable (UserEvent) -> Void] = [:]
  }

  /// An event that happened before the store was read, when it was not known whose it is.
  private struct Early: Sendable {
    let event: UserEvent
    let subject: Locked<UserEvent.Subject>
  }

  /// Delivers this user's events; `nil` delivers none.
  public let events: EventTracker?
  /// How much can be known of a user.
  public let limits: PropertyLimits
  private let stored: StoredValue<UserProfile>
  private let clock: any SessionClock
  private let logger: Logger
  private let observers = Locked(Observers())
  /// What has to wait until the store has been read; `nil` afterwards. Its lock is held while an event is kept, so that
  /// ``forget()`` comes before or after.
  private let early = Locked<[Early]?>([])
  private let runners = Locked(AttachedRunners())
  private let opening = SharedWork<Void>()

  /// Makes a user and begins to read what is known of them.
  /// - Parameters:
  ///   - store: keeps what is known. It is about a person: choose one that only the user can read.
  ///   - key: where in the store.
  ///   - events: delivers events.
  ///   - limits: how much can be known.
  ///   - clock: tells the time.
  ///   - logger: gets a line for each property that was refused.
  public init(
    store: any SessionStore, key: SessionKey = SessionKey("experience-user"), events: EventTracker? = nil,
    limits: PropertyLimits = PropertyLimits(), clock: any SessionClock = .system,
    logger: Logger = Logger(label: "ostiary.experiences")
  ) {
    self.events = events
    self.limits = limits
    self.clock = clock
    self.logger = logger
    stored = StoredValue(
      UserProfile(), in: ValueRest(store: store, key: key, clock: clock, retry: RetryPolicy()))
    stored.onReplacement { [weak self] former, profile, isFirst in
      guard let self, former.anonymousID != profile.anonymousID else { return }
      // Until then it was not known who is there. It is no other person, unless what was said of them turns out to be of one who
      // was there before.
      let isSame = isFirst && former.properties.values.keys.allSatisfy { profile.properties[$0] != nil }
      if isSame { informAll() } else { greetAnother() }
    }
    opening.launch { [weak self, stored] in
      try await stored.restore()
      self?.releaseEarly()
    }
  }

  deinit {
    opening.abandon(with: CancellationError())
  }

  // MARK: Looking

  /// What is known of the user now. Until the store has been read, that is only what this process did.
  public var profile: UserProfile { stored.value }

  /// Waits until the store has been read. One that is locked is waited for.
  /// - Throws: `CancellationError`.
  public func restore() async throws {
    try await opening.value()
  }

  /// Waits until what is known rests in the store.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when it can't be written now; it is tried again later.
  public func persist() async throws {
    try await restore()
    try await stored.persist()
    try await events?.persist()
  }

  /// Calls `observer` for every event from now on, as it happens, by whichever thread it happens on. What happens before the
  /// store has been read is told when it has been.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (UserEvent) -> Void) -> @Sendable () -> Void {
    let id = observers.withLock { observers in
      observers.next += 1
      observers.all[observers.next] = observer
      return observers.next
    }
    return { [weak self] in self?.observers.withLock { $0.all[id] = nil } }
  }

  // MARK: Signing in and out

  /// Notes that a user has signed up.
  /// - Parameters:
  ///   - id: the app's own identifier; `nil` when it does not say.
  ///   - properties: what the sign-up has told of them.
  ///   - parameters: what else is to be said of the event.
  public func signUp(
    as id: String? = nil, properties: [String: PropertyValue] = [:], parameters: [String: PropertyValue] = [:]
  ) {
    enter(id, properties, UserEvent.Name.signUp, parameters)
  }

  /// Notes that a user has logged in. See ``signUp(as:properties:parameters:)``.
  public func logIn(
    as id: String? = nil, properties: [String: PropertyValue] = [:], parameters: [String: PropertyValue] = [:]
  ) {
    enter(id, properties, UserEvent.Name.login, parameters)
  }

  /// Notes that a user has signed in or up with a provider.
  /// - Parameter isNew: whether they have signed up; otherwise they have logged in.
  public func enter(
    with provider: String, as id: String? = nil, isNew: Bool, properties: [String: PropertyValue] = [:]
  ) {
    let name = isNew ? UserEvent.Name.signUp : UserEvent.Name.providerLogin
    enter(id, properties, name, ["provider": .string(provider)])
  }

  /// Notes that the user has logged out: what was known of them is forgotten, here and where it rests, and the next
  /// user is another one. The event is still of the user who logged out, and what has not been delivered yet stays as
  /// it was.
  public func logOut() {
    // Told before, so that it is about the user who leaves.
    record(UserEvent.Name.logout, .standard, [:])
    // Made here, so that it is the same one on what the store turns out to hold.
    let next = UserProfile.newAnonymousID()
    change { $0.signOut(anonymousID: next) }
  }

  /// Forgets everything, as if the app had just been installed: the user, and the events that wait, also those that happened
  /// before the store was read.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when it can't be removed from the store now; it is tried
  ///   again later.
  public func forget() async throws {
    let nobody = UserProfile()
    early.withLock { early in
      if early != nil { early = [] }
      stored.update { $0 = nobody }
      events?.clear()
    }
    greetAnother()
    try await stored.persist()
    try await events?.persist()
  }

  // MARK: Properties and events

  /// Attaches properties to the user, for good: those that are there get the new values.
  /// - Returns: what was refused; everything else was taken.
  @discardableResult
  public func append(_ properties: [String: PropertyValue]) -> [PropertyProblem] {
    let problems = stored.update(isPersonal: true) { [limits] in $0.properties.merge(properties, limits: limits) }
    for problem in problems { logger.warning("The user property \(problem)") }
    informAll()
    return problems
  }

  /// Sets the name to show.
  public func setName(_ name: String?) {
    stored.update(isPersonal: true) { $0.name = name }
  }

  /// Notes that an experience has been shown, so that one that is shown once is not shown again.
  public func noteExperienceSeen() {
    stored.update { $0.hasSeenExperience = true }
  }

  /// Tracks an event of the app's own.
  public func track(_ name: String, _ parameters: [String: PropertyValue] = [:]) {
    record(name, .custom, parameters)
  }

  /// Tracks an event, of ``UserEvent/Name`` as a rule.
  public func record(
    _ name: String, _ kind: UserEvent.Kind = .standard, _ parameters: [String: PropertyValue] = [:]
  ) {
    let kept = early.withLock { early -> Kept? in
      let subject = Locked(UserEvent.Subject(stored.value))
      stored.look { profile in subject.withLock { $0 = UserEvent.Subject(profile) } }
      let event = UserEvent(
        name, kind: kind, date: clock.now, parameters: parameters, subject: subject.withLock { $0 })
      guard early == nil else {
        early?.append(Early(event: event, subject: subject))
        return nil
      }
      return keep(event)
    }
    if let kept { tell(kept) }
  }

  private struct Kept {
    let event: UserEvent
    let problems: [PropertyProblem]
  }

  private func keep(_ event: UserEvent) -> Kept {
    Kept(event: event, problems: events?.keep(event) ?? [])
  }

  /// Tells the events that waited for the store, in their order; those that come meanwhile follow.
  private func releaseEarly() {
    while true {
      let kept = early.withLock { early -> [Kept] in
        let waiting = early ?? []
        early = waiting.isEmpty ? nil : []
        return waiting.map { waiting in
          var event = waiting.event
          event.subject = waiting.subject.withLock { $0 }
          return keep(event)
        }
      }
      guard !kept.isEmpty else { return }
      for kept in kept { tell(kept) }
    }
  }

  private func tell(_ kept: Kept) {
    events?.deliver()
    for problem in kept.problems { logger.warning("The parameter \(problem)") }
    for observer in observers.withLock({ Array($0.all.values) }) { observer(kept.event) }
  }

  private func enter(
    _ id: String?, _ properties: [String: PropertyValue], _ event: String, _ parameters: [String: PropertyValue]
  ) {
    admit(id, properties)
    record(event, .standard, parameters)
  }

  /// Notes who the user is, without an event.
  ///
  /// - Parameter cleared: the properties that the user has cleared: nothing is kept of them.
  func admit(_ id: String?, _ properties: [String: PropertyValue], cleared: Set<String> = []) {
    // Made here, so that it is the same one on what the store turns out to hold.
    let other = UserProfile.newAnonymousID()
    let problems = change { [limits] profile in
      profile.signIn(as: id, anonymousID: other)
      for name in cleared { profile.properties.remove(name) }
      return profile.properties.merge(properties, limits: limits)
    }
    for problem in problems { logger.warning("The user property \(problem)") }
  }

  /// Changes what is known, and tells the experiences that are open if it may be of another person afterwards.
  @discardableResult
  private func change<Result: Sendable>(_ change: @escaping @Sendable (inout UserProfile) -> Result) -> Result {
    let (result, isAnother) = stored.update { profile in
      let before = profile.anonymousID
      let result = change(&profile)
      return (result, profile.anonymousID != before)
    }
    if isAnother { greetAnother() }
    return result
  }

  // MARK: Experiences that are open

  /// Joins a runner to the user. It gets what is known of them, for texts and fields, and what becomes known; whenever another
  /// person may be there it forgets the former one, with what they have entered. It is not kept alive.
  public func attach(_ runner: ExperienceRunner) {
    runners.withLock { $0.add(runner) }
    inform(runner)
  }

  private var openRunners: [ExperienceRunner] { runners.withLock { $0.present }.filter { !$0.isOver } }

  private func informAll() {
    for runner in openRunners { inform(runner) }
  }

  private func greetAnother() {
    for runner in openRunners {
      runner.logOut()
      inform(runner)
    }
  }

  /// Tells a runner what is known of the user who is there once it has been told.
  private func inform(_ runner: ExperienceRunner) {
    while true {
      let profile = profile
      runner.addProperties(profile.texts)
      guard self.profile.anonymousID != profile.anonymousID else { return }
      runner.logOut()
    }
  }
}

/// The runners that are joined to a user, as long as others keep them.
private struct AttachedRunners: Sendable {
  private struct Reference: Sendable {
    weak var runner: ExperienceRunner?
  }

  private var references: [Reference] = []

  /// Those that are there.
  var present: [ExperienceRunner] { references.compactMap(\.runner) }

  mutating func add(_ runner: ExperienceRunner) {
    references.removeAll { $0.runner == nil || $0.runner === runner }
    references.append(Reference(runner: runner))
  }
}

extension UserProfile {
  /// What is known, for texts and fields.
  fileprivate var texts: [String: JSONValue] { properties.values.mapValues(\.json) }
}

/// What joins a runner to a user: give it to ``ExperienceUser/attach(_:)``, and let the delegate pass on what it is told.
extension ExperienceUser {
  /// What is known of the user, for an experience's texts and for filling in its fields.
  public var texts: [String: JSONValue] { profile.texts }

  /// Notes that a user has logged in or signed up in an experience: from ``ExperienceDelegate/didSignIn(_:)``. The
  /// event of it is not recorded here: the runner tells of it by itself.
  public func admit(_ user: SignedInUser) {
    admit(user.id, ProvidedIdentity(id: "", fields: user.properties).properties, cleared: user.cleared)
  }

  /// Records what happened in an experience: from ``ExperienceDelegate/record(_:)``.
  public func record(_ event: ExperienceEvent) {
    record(event.name.rawValue, .standard, event.parameters.mapValues { .string($0) })
  }
}
