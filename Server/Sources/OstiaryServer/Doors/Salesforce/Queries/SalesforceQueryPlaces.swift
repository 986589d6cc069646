import OstiaryCore

/// Lets a few queries into the database at a time; the others wait in the order in which they came.
final class SalesforceQueryPlaces: Sendable {
  private struct Waiter {
    let id: UInt64
    let user: String
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var running = 0
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    var refused = 0
  }

  private enum Decision { case go, wait, full, cancelled }

  private let most: Int
  private let mostWaiting: Int
  private let mostWaitingOfUser: Int
  private let state = Locked(State())

  init(
    _ most: Int = SOQLLimits.places, mostWaiting: Int = SOQLLimits.mostWaiting,
    mostWaitingOfUser: Int = SOQLLimits.mostWaitingOfUser
  ) {
    self.most = most
    self.mostWaiting = mostWaiting
    self.mostWaitingOfUser = mostWaitingOfUser
  }

  /// How many queries were refused.
  var refused: Int { state.withLock { $0.refused } }
  /// How many queries have a place, and how many wait.
  var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiters.count) } }

  /// Runs `body` when there is a place.
  /// - Throws: `SalesforceDataFailure` `REQUEST_LIMIT_EXCEEDED` where too many wait, `CancellationError`, or what `body` throws.
  func withPlace<Value>(for user: String, _ body: () async throws -> Value) async throws -> Value {
    try await take(for: user)
    defer { giveBack() }
    return try await body()
  }

  private func take(for user: String) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let decision = state.withLock { state -> Decision in
          // A later cancellation finds it among the waiting queries.
          if Task.isCancelled { return .cancelled }
          if state.running < most {
            state.running += 1
            return .go
          }
          guard state.waiters.count < mostWaiting, state.waiters.count(where: { $0.user == user }) < mostWaitingOfUser
          else {
            state.refused += 1
            return .full
          }
          state.waiters.append(Waiter(id: id, user: user, continuation: continuation))
          return .wait
        }
        switch decision {
        case .go: continuation.resume()
        case .wait: break
        case .full: continuation.resume(throwing: SalesforceDataFailure.tooManyQueries)
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The query that has waited longest gets the place.
  private func giveBack() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiters.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume()
  }
}
