internal import OstiaryCore

/// What is under way for one account and has to end with a sign-out.
final class RunningUploads: Sendable {
  /// Ends an upload, and waits until it has ended.
  /// - Returns: what the server has of it and should delete.
  typealias Stop = @Sendable () async -> OwedUpload?

  private struct State: Sendable {
    var stops: [UInt64: Stop] = [:]
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  private let state = Locked(State())

  /// Notes that an upload begins.
  /// - Returns: its number; `nil` when the user has been signed out.
  func add(_ stop: @escaping Stop) -> UInt64? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastNumber += 1
      state.stops[state.lastNumber] = stop
      return state.lastNumber
    }
  }

  /// Notes that an upload has ended.
  func remove(_ number: UInt64) { state.withLock { $0.stops[number] = nil } }

  /// Lets no further upload begin.
  /// - Returns: what ends those that are under way.
  func close() -> [Stop] {
    state.withLock { state in
      state.isClosed = true
      return state.stops.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
