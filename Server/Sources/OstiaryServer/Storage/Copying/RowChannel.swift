import Dispatch
internal import OstiaryCore

/// Hands tables over from a thread that reads a database to one that writes another. Both block; it holds a few parts only.
final class RowChannel: Sendable {
  /// What is handed over.
  enum Item: Sendable {
    case rows([[StorageValue]], of: Int)
    /// All rows of a table were handed over.
    case end(of: Int, TableDigest, nextID: Int64?)
  }

  private struct State {
    var isUsed = false
    var items: [Item] = []
    var failure: (any Error)?
  }

  private let state = Locked(State())
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  init() {
    // Not as its first value: a semaphore must not end with less than that, as it would after a failure.
    for _ in 0..<8 { room.signal() }
  }

  /// Hands an item over, and waits while there is no room.
  /// - Throws: what the other side has failed with.
  func send(_ item: Item) throws {
    room.wait()
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.isUsed = true
      state.items.append(item)
    }
    filled.signal()
  }

  /// The next item; nil after the last one.
  /// - Throws: what the other side has failed with.
  func next() throws -> Item? {
    filled.wait()
    defer { room.signal() }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.items.isEmpty ? nil : state.items.removeFirst()
    }
  }

  /// Whether anything was handed over.
  var isUsed: Bool { state.withLock { $0.isUsed } }

  /// There are no more items.
  func close() {
    filled.signal()
  }

  /// Lets both sides fail.
  func fail(_ error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
    room.signal()
    filled.signal()
  }
}
