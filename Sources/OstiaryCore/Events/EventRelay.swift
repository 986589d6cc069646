/// Numbers events, remembers the last ones and hands each to every observer once, in order, with no lock held.
package final class EventRelay<Event: Sendable>: Sendable {
  package typealias Observer = @Sendable (Event) -> Void

  /// What is delivered in order.
  private enum Item: Sendable {
    case event(UInt64, Event)
    /// What waits until the events of before have been told.
    case call(@Sendable () -> Void)
  }

  private struct State {
    var counter: UInt64 = 0
    var recent: [Event] = []
    var undelivered: [Item] = []
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
      state.undelivered.append(.event(state.counter, event))
    }
  }

  /// Takes an event that has no use for its number, as ``record(_:)`` does.
  package func record(_ event: Event) { record { _ in event } }

  /// Hands recorded events to the observers. One thread at a time delivers; another thread leaves its events to that
  /// one, so that order holds.
  /// - Parameter follow: is called when everything that has been recorded by now has been told, by whichever thread. Events that are
  ///   recorded later may be told after it.
  package func deliver(then follow: (@Sendable () -> Void)? = nil) {
    if let follow { state.withLock { $0.undelivered.append(.call(follow)) } }
    while true {
      let next: (Item, [UInt64])? = state.withLock { state in
        guard !state.isDelivering, !state.undelivered.isEmpty else { return nil }
        state.isDelivering = true
        let item = state.undelivered.removeFirst()
        guard case .event(let number, _) = item else { return (item, []) }
        return (item, state.observers.filter { $0.value.since < number }.keys.sorted())
      }
      guard let (item, observers) = next else { return }
      switch item {
      case .event(_, let event):
        for id in observers {
          // Looked up last: an earlier observer may have ended it.
          if let observer = state.withLock({ $0.observers[id]?.call }) { observer(event) }
        }
      case .call(let follow): follow()
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
