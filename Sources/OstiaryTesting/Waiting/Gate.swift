import OstiaryCore

/// A gate that tasks wait at until the test lets them through, so that a test decides the order of events.
///
/// ```swift
/// let gate = Gate()
/// transport.inject(.holdResponse(gate), into: .post("/renew"))
/// let renewal = Task { try await manager.session() }
/// try await gate.waitForArrivals(1)   // the server has renewed, its answer is on the way
/// await manager.signOut()             // … and comes too late
/// gate.open()
/// ```
public final class Gate: Sendable {
  private typealias Waiter = @Sendable (Result<Void, any Error>) -> Void

  private struct State: Sendable {
    var isOpen: Bool
    var permits = 0
    var nextTicket: UInt64 = 0
    var waiting: [UInt64: Waiter] = [:]
  }

  private let state: Locked<State>
  private let counts = Observed(Counts())

  private struct Counts: Sendable {
    var waiting = 0
    var arrived = 0
  }

  /// Makes a gate, closed unless told otherwise.
  public init(isOpen: Bool = false) {
    state = Locked(State(isOpen: isOpen))
  }

  /// How many tasks wait now.
  public var waiting: Int { counts.read(\.waiting) }

  /// Goes through, waiting while the gate is closed. First come, first through.
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  public func pass() async throws {
    let ticket = nextTicket()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(ticket) { continuation.resume(with: $0) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  /// Goes through without a task: calls `done` once, now or when the gate lets it.
  /// - Returns: what to ``leave(_:)`` with.
  func pass(_ done: @escaping @Sendable () -> Void) -> UInt64 {
    let ticket = nextTicket()
    enter(ticket) { if case .success = $0 { done() } }
    return ticket
  }

  /// Gives up waiting, if the gate has not let this one through.
  func leave(_ ticket: UInt64) {
    let waiter = state.withLock { $0.waiting.removeValue(forKey: ticket) }
    guard let waiter else { return }
    counts.update { $0.waiting -= 1 }
    waiter(.failure(CancellationError()))
  }

  private func nextTicket() -> UInt64 {
    state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
  }

  private func enter(_ ticket: UInt64, _ waiter: @escaping Waiter) {
    enum Entry { case through, cancelled, waits }
    let entry = state.withLock { state -> Entry in
      if state.isOpen { return .through }
      if state.permits > 0 {
        state.permits -= 1
        return .through
      }
      if Task.isCancelled { return .cancelled }
      state.waiting[ticket] = waiter
      // Counted under the gate's lock, so that a release can't be counted before the arrival that it releases.
      counts.update { counts in
        counts.waiting += 1
        counts.arrived += 1
      }
      return .waits
    }
    switch entry {
    case .through:
      counts.update { $0.arrived += 1 }
      waiter(.success(()))
    case .cancelled: waiter(.failure(CancellationError()))
    case .waits: break
    }
  }

  /// Lets every caller through, now and later.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    release(waiters)
  }

  /// Holds every task that comes from now on.
  public func close() {
    state.withLock { state in
      state.isOpen = false
      state.permits = 0
    }
  }

  /// Lets `count` tasks through, those that wait first; what is left over is for the next to come.
  public func release(_ count: Int = 1) {
    let waiters = state.withLock { state in
      let tickets = state.waiting.keys.sorted().prefix(count)
      var released: [UInt64: Waiter] = [:]
      for ticket in tickets { released[ticket] = state.waiting.removeValue(forKey: ticket) }
      state.permits += count - released.count
      return released
    }
    release(waiters)
  }

  private func release(_ waiters: [UInt64: Waiter]) {
    counts.update { $0.waiting -= waiters.count }
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter(.success(())) }
  }

  /// Waits until `count` tasks wait at the gate.
  /// - Throws: ``WaitTimedOut`` when they don't within `limit` of real time.
  public func waitForWaiting(_ count: Int = 1, within limit: Duration = .seconds(120)) async throws {
    _ = try await counts.wait(for: "\(count) waiting at a gate", within: limit) { $0.waiting >= count ? true : nil }
  }

  /// Waits until `count` tasks have come to the gate since it was made, gone through or not.
  /// - Throws: ``WaitTimedOut`` when they don't within `limit` of real time.
  public func waitForArrivals(_ count: Int = 1, within limit: Duration = .seconds(120)) async throws {
    _ = try await counts.wait(for: "\(count) arrivals at a gate", within: limit) { $0.arrived >= count ? true : nil }
  }
}
