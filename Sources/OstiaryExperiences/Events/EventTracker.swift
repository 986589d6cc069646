internal import Foundation
public import Logging
public import OstiaryCore

/// Delivers events in batches: each with an identifier that stays, kept on the device until the server has it, sent again
/// after a failure.
///
/// Tracking takes microseconds and never fails; what comes of it is in ``pending``, ``lost`` and the log. An event that has
/// been kept survives the program's end and is sent with the same identifier, so that a server which already has it counts
/// it once. Several processes may use a store's key: each delivers what it knows of, an event that two have delivered is one to
/// the server. A tracker that is let go stops delivering; what it has kept waits for the next one.
///
/// What ``persist()`` has reported as stored is delivered at least once, unless a limit drops it: the queue's
/// (``EventConfiguration/capacity``, ``EventConfiguration/capacitySize``), or a server's that refuses the event for what it is.
/// ``lost`` counts those.
public final class EventTracker: Sendable {
  struct State {
    var configuration: EventConfiguration
    /// Grows with each address and each set of header fields.
    var turn: UInt64 = 0
    /// Whether the delivery runs.
    var isDelivering = false
    /// Whether the wait before the next batch is over.
    var hasWaited = false
    /// Waits between batches; cancelled to go on at once.
    var pause: Task<Void, any Error>?
    /// How many attempts have failed in a row, and how long to wait for the next.
    var failures = 0
    var backOff: Duration = .zero
    /// How many events in a row were refused for what they are.
    var refusals = 0
    /// How many events go at once; fewer after a refusal.
    var batchCount: Int
    var lastError: OstiaryError?
    /// The callers of ``EventTracker/flush()``.
    var waiters: [Waiter] = []

    /// Whether a caller waits for events to be sent now.
    var isFlushing: Bool { !waiters.isEmpty }
  }

  /// Waits until the events that waited when it came are gone, or an attempt fails. Those that come later are not waited
  /// for: where more come with each attempt it would never end.
  struct Waiter {
    let work = SharedWork<Void>()
    let events: Set<String>
  }

  let queue: StoredValue<EventQueue>
  let transport: any Transport
  let clock: any SessionClock
  let logger: Logger
  let state: Locked<State>

  /// Makes a tracker and begins to deliver what an earlier process has left.
  /// - Parameters:
  ///   - configuration: where events go, and how.
  ///   - transport: the way to servers.
  ///   - store: keeps what has not been delivered. Properties are about people: choose one that only the user can read.
  ///   - key: where in the store.
  ///   - clock: tells the time.
  ///   - logger: gets a line for each failure.
  public init(
    _ configuration: EventConfiguration, transport: any Transport, store: any SessionStore,
    key: SessionKey = SessionKey("experience-events"), clock: any SessionClock = .system,
    logger: Logger = Logger(label: "ostiary.experiences")
  ) {
    self.transport = transport
    self.clock = clock
    self.logger = logger
    state = Locked(State(configuration: configuration, batchCount: max(configuration.batchCount, 1)))
    queue = StoredValue(
      EventQueue(), in: ValueRest(store: store, key: key, clock: clock, retry: configuration.retry))
    Task { [weak self, queue] in
      try await queue.restore()
      guard let self, !queue.value.isEmpty else { return }
      deliver()
    }
  }

  deinit {
    state.withLock { $0.pause }?.cancel()
  }

  /// Where events go, and how. What waits goes to a new address, and with new header fields, as well: at once, if it waited
  /// after a failure. Without an address the delivery ends, and who waits for it is told.
  public var configuration: EventConfiguration {
    get { state.withLock { $0.configuration } }
    set {
      let pause = state.withLock { state -> Task<Void, any Error>? in
        let former = state.configuration
        state.configuration = newValue
        state.batchCount = max(newValue.batchCount, 1)
        guard former.address != newValue.address || former.headerFields != newValue.headerFields else { return nil }
        // What failed may work now.
        (state.failures, state.refusals) = (0, 0)
        state.turn += 1
        return state.pause
      }
      pause?.cancel()
      if !queue.value.isEmpty { deliver() }
    }
  }

  // MARK: Looking

  /// How many events wait to be delivered, as far as is known: the store may not have been read yet.
  public var pending: Int { queue.value.count }

  /// How many events have given way to newer ones, or were refused by the server.
  public var lost: Int { queue.value.lost }

  /// Why the last attempt failed; `nil` when it did not.
  public var lastError: OstiaryError? { state.withLock { $0.lastError } }

  /// Whether what tells who a person is is left out of events (``EventConfiguration/personal``). Set to `true`, events that
  /// wait are cleansed, too.
  public var sanitizes: Bool {
    get { queue.value.sanitizes }
    set {
      // Saying again what is so already is no reason to write.
      guard newValue || sanitizes else { return }
      queue.update { [personal = configuration.personal] in $0.sanitize(newValue, personal) }
    }
  }

  // MARK: Tracking

  /// Keeps an event and sends it with the next batch. What exceeds the limits is left out; an event that servers would not
  /// take is not kept (``EventRules``).
  /// - Returns: what was left out, and why an event was not kept.
  @discardableResult
  public func track(_ event: UserEvent) -> [PropertyProblem] {
    let problems = keep(event)
    deliver()
    return problems
  }

  /// Keeps an event.
  func keep(_ event: UserEvent) -> [PropertyProblem] {
    let configuration = configuration
    let checked = EventRules.checked(event, configuration.limits)
    guard let event = checked.event else { return checked.problems }
    // Those that would give way to newer ones need not be kept for another attempt to write.
    let most = configuration.mostChanges
    return checked.problems
      + queue.update(keeping: most) {
        $0.append(
          event, personal: configuration.personal, capacity: configuration.capacity, size: configuration.capacitySize)
      }
  }

  /// Waits until what has been tracked so far rests in the store: for a program that is about to end.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when it can't be written now.
  public func persist() async throws {
    try await queue.persist()
  }

  /// Delivers what waits, at once. Events that are tracked meanwhile are not waited for.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when an attempt fails, after which it goes on by itself, or there is no address,
  ///   or none any more; `CancellationError` when the calling task is cancelled, which stops nothing.
  public func flush() async throws {
    guard configuration.address != nil else { throw Self.noAddress }
    try await queue.restore()
    let waiter = Waiter(events: queue.value.ids)
    let (pause, starts) = state.withLock { state in
      state.waiters.append(waiter)
      defer { state.isDelivering = true }
      return (state.pause, !state.isDelivering)
    }
    pause?.cancel()
    if starts { run() }
    try await waiter.work.value()
  }

  /// Removes every event that waits, here and where it rests.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when it can't be removed there now; it is tried again later.
  public func forget() async throws {
    clear()
    try await queue.persist()
  }

  /// Removes every event that waits, now.
  func clear() {
    queue.update { $0.removeAll() }
  }

  static var noAddress: OstiaryError {
    OstiaryError(
      .invalidRequest, "There is no address for events.", advice: "Give one in the configuration.",
      requestMayHaveExecuted: false)
  }
}
