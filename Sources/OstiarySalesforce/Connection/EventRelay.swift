internal import Foundation
internal import OstiaryCore

/// Hands events to observers: each once, in the order in which they were noted, with no lock held.
final class EventRelay<Event: Sendable>: Sendable {
  private struct State {
    var observers: [UUID: @Sendable (Event) -> Void] = [:]
    var order: [UUID] = []
    var undelivered: [Event] = []
    var isDelivering = false
  }

  private let state = Locked(State())

  /// Takes an event. May be called under the lock of whoever it is about; ``deliver()`` after that is released.
  func note(_ event: Event) { state.withLock { $0.undelivered.append(event) } }

  /// Calls the observers. One thread at a time does.
  func deliver() {
    while true {
      let next = state.withLock { state -> (Event, [@Sendable (Event) -> Void])? in
        guard !state.isDelivering, !state.undelivered.isEmpty else { return nil }
        state.isDelivering = true
        return (state.undelivered.removeFirst(), state.order.compactMap { state.observers[$0] })
      }
      guard let (event, observers) = next else { return }
      for observer in observers { observer(event) }
      state.withLock { $0.isDelivering = false }
    }
  }

  func observe(_ observer: @escaping @Sendable (Event) -> Void) -> @Sendable () -> Void {
    let id = UUID()
    state.withLock { state in
      state.observers[id] = observer
      state.order.append(id)
    }
    return { [weak self] in
      self?.state.withLock { state in
        state.observers[id] = nil
        state.order.removeAll { $0 == id }
      }
    }
  }
}
