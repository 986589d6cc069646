/// Numbers events, remembers the last ones and hands each to every observer once, in order, with no lock held.
package final class EventRelay<Event: Sendable>: Sendable {
  package typealias Observer = @Sendable (Event) -> Void

  private struct State {
    var counter: UInt64 = 0
    var recent: [Event] = []
    var undelivered: [(number: UInt64, event: Event)] = []
    var isDelivering = false
    /// With the number of the last event before each began to observe.
    var observers: [UInt64: (since: UInt64, call: Observer)] = [:]
    var nextObserver: UInt64 = 0
  }

  private let state = Locked(State())
  private let capacity: Int

  /// Makes a relay without observers.
  /// - Parameter capacity: how many events are remembered.
  package init(remembering capacity: Int = 0) {
    self.capacity = max(0, capacity)
  }

  /// The last events, oldest first.
  package var recent: [Event] { state.withLock { $0.recent } }

  /// Takes an event. May be called under the lock of the object it is about, so that events are numbered in the order
  /// of the changes they tell of; ``deliver()`` must be called after that lock is released.
  /// - Parameter make: makes the event, given its number, from 1.
  package func record(_ make: (UInt64) -> Event) {
    state.withLock { state in
      state.counter &+= 1
      let event = make(state.counter)
      if capacity > 0 {
        state.recent.append(event)
        if state.recent.count > capacity { state.recent.removeFirst(state.recent.count - capacity) }
      }
      state.undelivered.append((state.counter, event))
    }
  }

  /// Takes an event that has no use for its number, as ``record(_:)`` does.
  package func record(_ event: Event) { record { _ in event } }

  /// Hands recorded events to the observers. One thread at a time delivers; another thread leaves its events to that
  /// one, so that order holds.
  package func deliver() {
    while true {
      let next: (Event, [UInt64])? = state.withLock { state in
        guard !state.isDelivering, !state.undelivered.isEmpty else { return nil }
        state.isDelivering = true
        let (number, event) = state.undelivered.removeFirst()
        return (event, state.observers.filter { $0.value.since < number }.keys.sorted())
      }
      guard let (event, observers) = next else { return }
      for id in observers {
        // Looked up last: an earlier observer may have ended it.
        if let observer = state.withLock({ $0.observers[id]?.call }) { observer(event) }
      }
      state.withLock { $0.isDelivering = false }
    }
  }

  /// Takes an event and hands it on at once. Not to be called under a lock.
  package func tell(_ event: Event) {
    record(event)
    deliver()
  }

  /// Adds an observer for events from now on, and returns the function that removes it.
  package func observe(_ observer: @escaping Observer) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.nextObserver &+= 1
      state.observers[state.nextObserver] = (state.counter, observer)
      return state.nextObserver
    }
    return { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
  }
}

/// Feeds a stream of events, and ends it when no sender is left.
final class EventFeed: Sendable {
  private let continuation: AsyncStream<SessionEvent>.Continuation

  init(_ continuation: AsyncStream<SessionEvent>.Continuation) {
    self.continuation = continuation
  }

  deinit { continuation.finish() }

  func send(_ event: SessionEvent) { continuation.yield(event) }
}
