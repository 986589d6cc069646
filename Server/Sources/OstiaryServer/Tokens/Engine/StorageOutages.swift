import Foundation
internal import OstiaryCore

/// When tokens could not be issued because the storage answered with errors, as this process has found out.
///
/// The replay window does not run meanwhile: a client whose refresh was committed as the storage went away gets the same answer when it
/// is there again, however long that took. A process that was not running has found out nothing.
final class StorageOutages: StorageCompanion {
  /// More are forgotten, the oldest first: then a window runs as always.
  private static let most = 16

  private struct State {
    /// When a call last succeeded.
    var lastSuccess = Date.distantPast
    /// When the first call began that has failed since.
    var begun: Date?
    var past: [ReplayPauses.Pause] = []
  }

  private let state = Locked(State())

  private init() {}

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> StorageOutages { storage.shared { StorageOutages() } }

  /// A call has succeeded, at a time that was read afterwards.
  func succeeded(at now: Date) {
    state.withLock { state in
      if let begun = state.begun, begun < now {
        state.past.append((begun, now))
        if state.past.count > Self.most { state.past.removeFirst() }
      }
      state.begun = nil
      state.lastSuccess = now
    }
  }

  /// A call has failed that began at `start`: its changes may be committed.
  func failed(since start: Date) {
    state.withLock { state in state.begun = min(state.begun ?? .distantFuture, max(start, state.lastSuccess)) }
  }

  /// The outages up to now, that of now included.
  func pauses(until now: Date) -> ReplayPauses {
    state.withLock { state in
      var pauses = state.past
      if let begun = state.begun, begun < now { pauses.append((begun, now)) }
      return ReplayPauses(pauses)
    }
  }

  func forgetAll() {}
}

/// The times at which the replay window did not run.
struct ReplayPauses: Sendable {
  typealias Pause = (from: Date, to: Date)

  /// The longest window that housekeeping allows for. It removes tokens of a longer one as if nothing had paused it.
  private static let longestWindow = Duration.seconds(3600)

  private let pauses: [Pause]

  init(_ pauses: [Pause] = []) { self.pauses = pauses }

  /// Whether a window that would end at `end` is still open.
  /// - Parameter window: its length.
  func isBefore(_ end: Date, window: Duration, at now: Date) -> Bool {
    now < end.addingTimeInterval(length(since: end.addingTimeInterval(-window.timeInterval), until: now))
  }

  /// The latest end of a window that is surely over.
  func over(at now: Date) -> Date {
    var over = now
    // Each pass can take another pause in.
    for _ in 0...pauses.count {
      let paused = length(since: over.addingTimeInterval(-Self.longestWindow.timeInterval), until: now)
      let earlier = now.addingTimeInterval(-paused)
      if earlier == over { break }
      over = earlier
    }
    return over
  }

  private func length(since start: Date, until now: Date) -> TimeInterval {
    pauses.reduce(0) { $0 + max(0, min($1.to, now).timeIntervalSince(max($1.from, start))) }
  }
}
