public import OstiaryCore

/// Keeps the events of a session manager and lets a test wait for one.
///
/// Give its ``record(_:)`` to the function that takes an observer.
public final class EventRecorder: Sendable {
  private let recorded = Observed<[SessionEvent]>([])

  /// Makes an empty recorder.
  public init() {}

  /// Keeps an event.
  public func record(_ event: SessionEvent) {
    recorded.update { $0.append(event) }
  }

  /// Everything recorded so far, in order.
  public var events: [SessionEvent] { recorded.read { $0 } }

  /// What happened so far, in order.
  public var kinds: [SessionEvent.Kind] { recorded.read { $0.map(\.kind) } }

  /// How many events of a kind there were.
  public func count(_ kind: SessionEvent.Kind) -> Int {
    recorded.read { events in events.count { $0.kind == kind } }
  }

  /// The first event, past or to come, that `condition` is true for.
  /// - Throws: ``WaitTimedOut`` when there is none within `limit` of real time.
  public func first(
    within limit: Duration = .seconds(120), where condition: @escaping @Sendable (SessionEvent) -> Bool
  ) async throws -> SessionEvent {
    try await recorded.wait(for: "an event", within: limit) { $0.first(where: condition) }
  }

  /// The first event of a kind, past or to come.
  /// - Throws: ``WaitTimedOut`` when there is none within `limit` of real time.
  public func first(_ kind: SessionEvent.Kind, within limit: Duration = .seconds(120)) async throws -> SessionEvent {
    try await recorded.wait(for: "an event \(kind)", within: limit) { $0.first { $0.kind == kind } }
  }

  /// Forgets everything.
  public func clear() {
    recorded.update { $0 = [] }
  }
}
