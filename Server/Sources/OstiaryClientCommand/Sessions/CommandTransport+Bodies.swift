internal import Foundation
internal import OstiaryAsyncHTTPClient
internal import OstiaryCore

extension CommandTransport {
  /// Sends a request with a body that is read meanwhile. The time-out is for each piece that the server takes, and for its answer: a
  /// large file may take hours.
  func stream(_ request: TransportRequest, sending body: StreamedBody) async throws -> StreamingResponse {
    let patience = timeout ?? request.timeout
    let watch = SendingWatch()
    let pieces = WatchedPieces(pieces: try body.open(), watch: watch)
    var request = request
    request.body = nil
    request.timeout = .seconds(7 * 24 * 3600)
    let timedOut = OstiaryError(
      .timedOut, SessionMessage.nothingTaken(time: Timestamp.words(patience)), request: request.head)
    return try await withThrowingTaskGroup(of: StreamingResponse.self) { [request] group in
      group.addTask { try await transport.stream(request, sending: pieces, length: body.length) }
      group.addTask {
        try await watch.waitForStall(of: patience)
        throw timedOut
      }
      defer { group.cancelAll() }
      guard let response = try await group.next() else { throw timedOut }
      return response
    }
  }
}

/// Knows since when a server has taken nothing.
private final class SendingWatch: Sendable {
  /// Since when the server has been given a piece; `nil` while the next one is read, which may take its time.
  private let state = Locked<ContinuousClock.Instant?>(.now)

  func reads() { state.withLock { $0 = nil } }

  func hasRead() { state.withLock { $0 = .now } }

  /// Returns when the server has taken nothing for so long.
  func waitForStall(of patience: Duration) async throws {
    while true {
      let rest = state.withLock { $0.map { patience - (.now - $0) } } ?? patience
      guard rest > .zero else { return }
      try await Task.sleep(for: rest)
    }
  }
}

/// The pieces of a body, with a note of when they are read.
private struct WatchedPieces: AsyncSequence, Sendable {
  let pieces: StreamedBody.Pieces
  let watch: SendingWatch

  func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), watch: watch) }

  struct Iterator: AsyncIteratorProtocol {
    var pieces: StreamedBody.Pieces.Iterator
    let watch: SendingWatch

    mutating func next() async throws -> Data? {
      watch.reads()
      defer { watch.hasRead() }
      return try await pieces.next()
    }
  }
}
