import Foundation

/// Waits for file locks without blocking the threads that run Swift's tasks: a thread of its own blocks instead, at most
/// one for each lock.
///
/// A task that gives up leaves its thread behind. If the lock comes, the thread releases it at once; if another task
/// asks first, it takes the thread over. For each name, one task at a time may wait.
final class FileLockQueue: Sendable {
  private typealias Taker = CheckedContinuation<FileDescriptor, any Error>

  private struct Wait: Sendable {
    var ticket: UInt64 = 0
    var taker: Taker?
    var timer: Task<Void, any Error>?
  }

  private struct State: Sendable {
    var lastTicket: UInt64 = 0
    /// A name is here while a thread waits for its lock.
    var waits: [String: Wait] = [:]
  }

  private let state = Locked(State())
  private let clock: any SessionClock

  init(clock: any SessionClock) {
    self.clock = clock
  }

  /// Waits for a lock, at most `patience`.
  /// - Parameter lock: takes the lock, blocking.
  /// - Throws: what `lock` throws, ``OstiaryError`` `storeUnavailable` when patience ran out, `CancellationError`.
  func wait(
    for name: String, patience: Duration, _ lock: @escaping @Sendable () throws -> FileDescriptor
  ) async throws -> FileDescriptor {
    let ticket = state.withLock { state in
      state.lastTicket &+= 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { taker in
        enum Entry { case cancelled, joined, first }
        let entry = state.withLock { state -> Entry in
          if Task.isCancelled { return .cancelled }
          let isFirst = state.waits[name] == nil
          let timer = Task {
            try await clock.sleep(for: patience)
            abandon(ticket, name, OstiaryError.storeBusy)
          }
          state.waits[name] = Wait(ticket: ticket, taker: taker, timer: timer)
          return isFirst ? .first : .joined
        }
        switch entry {
        case .cancelled: taker.resume(throwing: CancellationError())
        case .joined: break
        case .first: Thread.detachNewThread { [self] in finish(name, Result { try lock() }) }
        }
      }
    } onCancel: {
      abandon(ticket, name, CancellationError())
    }
  }

  /// Hands the lock over. Where no task waits any more, forgetting it closes its file, which releases it.
  private func finish(_ name: String, _ result: Result<FileDescriptor, any Error>) {
    let wait = state.withLock { $0.waits.removeValue(forKey: name) }
    wait?.timer?.cancel()
    wait?.taker?.resume(with: result)
  }

  private func abandon(_ ticket: UInt64, _ name: String, _ error: any Error) {
    let wait = state.withLock { state -> Wait? in
      guard let wait = state.waits[name], wait.ticket == ticket, wait.taker != nil else { return nil }
      // The thread is still there: the name stays.
      state.waits[name] = Wait()
      return wait
    }
    wait?.timer?.cancel()
    wait?.taker?.resume(throwing: error)
  }
}
