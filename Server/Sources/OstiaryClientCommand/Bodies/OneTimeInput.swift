internal import Foundation
internal import OstiaryCore

/// Bytes that can be read once: of standard input, or of a pipe that has a name.
final class OneTimeInput: Sendable {
  /// What it is, for messages.
  let name: String
  private let source: @Sendable (_ count: Int) throws -> Data
  private struct State {
    /// What was read to find out how much there is, and not been sent yet.
    var start: Data
    var isOpened = false
  }

  private let state: Locked<State>

  /// - Parameters:
  ///   - start: its first bytes, which have been read already.
  ///   - source: reads the next bytes, so many at most, and none at the end. It may block.
  init(_ name: String, start: Data, source: @escaping @Sendable (_ count: Int) throws -> Data) {
    self.name = name
    self.source = source
    state = Locked(State(start: start))
  }

  /// Begins to send it.
  /// - Returns: the next bytes at each call, so many at most, and none at the end. It may block.
  /// - Throws: ``OstiaryError`` `body_spent` the second time.
  func open() throws -> @Sendable (_ count: Int) throws -> Data {
    let isFirst = state.withLock { state in
      defer { state.isOpened = true }
      return !state.isOpened
    }
    guard isFirst else {
      throw OstiaryError(.bodySpent, RequestMessage.spent(name), disposition: .transient(retryAfter: nil))
    }
    return { [self] count in
      let start = state.withLock { state in
        let piece = Data(state.start.prefix(count))
        state.start = Data(state.start.dropFirst(count))
        return piece
      }
      return start.isEmpty ? try source(count) : start
    }
  }
}

extension OstiaryError.Code {
  /// A body that can be read once would have to be sent again.
  static let bodySpent = Self("body_spent")
}
