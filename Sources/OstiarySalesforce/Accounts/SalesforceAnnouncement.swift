internal import OstiaryCore

/// One event of an account manager on its way to its observers.
package struct SalesforceAnnouncement: Sendable {
  /// What has happened, or is about to.
  package let event: SalesforceAccountEvent
  /// Holds up what the event says is about to happen, for as long as an observer keeps it; `nil` for what has happened already.
  package let hold: SalesforceEventHold?
}

/// Holds up what an event says is about to happen: a sign-out, or a change of the current account. It goes on when the last
/// reference to this is gone.
package final class SalesforceEventHold: Sendable {
  private let told: SharedWork<Void>

  init(_ told: SharedWork<Void>) { self.told = told }

  deinit { told.finish(.success(())) }
}

extension SalesforceAccounts {
  /// Calls `observer` for every event from now on, as ``onEvent(_:)`` does. What an event says is about to happen waits for the
  /// observers that keep its hold, for ``SalesforceAccountsConfiguration/observerPatience`` at most.
  /// - Returns: a function that ends it.
  @discardableResult
  package func onAnnouncement(_ observer: @escaping @Sendable (SalesforceAnnouncement) -> Void) -> @Sendable () -> Void
  {
    events.observe(observer)
  }

  func tell(_ event: SalesforceAccountEvent) { events.tell(SalesforceAnnouncement(event: event, hold: nil)) }

  /// Tells of what is about to happen, and waits until the observers have been told.
  func announce(_ event: SalesforceAccountEvent) async {
    let told = SharedWork<Void>()
    events.tell(SalesforceAnnouncement(event: event, hold: SalesforceEventHold(told)))
    guard told.known == nil else { return }
    let timer = OneTimer(after: configuration.observerPatience, clock: clock) { told.finish(.success(())) }
    _ = await told.outcome
    timer.cancel()
  }
}
