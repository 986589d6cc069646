internal import Foundation

/// Numbers events, remembers the last ones and hands each to every observer once, in order, with no lock held.
final class EventLog: Sendable {
  typealias Observer = @Sendable (SessionEvent) -> Void

  private struct State {
    var counter: UInt64 = 0
    var recent: [SessionEvent] = []
    var undelivered: [SessionEvent] = []
    var isDelivering = false
    /// With the number of the last event before each began to observe.
    var observers: [UInt64: (since: UInt64, call: Observer)] = [:]
    var nextObserver: UInt64 = 0
  }

  private let state = Locked(State())
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// The last events, oldest first.
  var recent: [SessionEvent] { state.withLock { $0.recent } }

  /// Takes an event. May be called while the session manager's lock is held, so that events are numbered in the order
  /// of the changes they tell of; ``deliver()`` must be called after that lock is released.
  func record(_ make: (UInt64) -> SessionEvent) {
    state.withLock { state in
      state.counter &+= 1
      let event = make(state.counter)
      state.recent.append(event)
      if state.recent.count > capacity { state.recent.removeFirst(state.recent.count - capacity) }
      state.undelivered.append(event)
    }
  }

  /// Hands recorded events to the observers. One thread at a time delivers; whoever comes meanwhile leaves its events
  /// to that one, so that order holds.
  func deliver() {
    while true {
      let next: (SessionEvent, [UInt64])? = state.withLock { state in
        guard !state.isDelivering, !state.undelivered.isEmpty else { return nil }
        state.isDelivering = true
        let event = state.undelivered.removeFirst()
        return (event, state.observers.filter { $0.value.since < event.number }.keys.sorted())
      }
      guard let (event, observers) = next else { return }
      for id in observers {
        // Looked up last: an earlier observer may have ended it.
        if let observer = state.withLock({ $0.observers[id]?.call }) { observer(event) }
      }
      state.withLock { $0.isDelivering = false }
    }
  }

  /// Adds an observer and returns the function that removes it.
  func observe(_ observer: @escaping Observer) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.nextObserver &+= 1
      state.observers[state.nextObserver] = (state.counter, observer)
      return state.nextObserver
    }
    return { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
  }
}
