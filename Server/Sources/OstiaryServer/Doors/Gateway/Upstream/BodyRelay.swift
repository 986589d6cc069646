import NIOCore
import OstiaryCore

/// Passes a body from its reader to its sender, one piece at a time: the reader waits until its piece is taken.
final class BodyRelay: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  /// The sender takes no more of the body.
  struct Closed: Error {}

  private enum Phase {
    case open
    case ended
    case failed(any Error)
  }

  private struct State {
    var phase = Phase.open
    var piece: ByteBuffer?
    var writer: CheckedContinuation<Void, any Error>?
    var reader: CheckedContinuation<ByteBuffer?, any Error>?
  }

  private let state = Locked(State())

  /// Waits until the piece is taken.
  /// - Throws: `Closed` if the sender will not take it.
  func send(_ piece: ByteBuffer) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (reader, isOpen) = state.withLock { state -> (CheckedContinuation<ByteBuffer?, any Error>?, Bool) in
          guard case .open = state.phase else { return (nil, false) }
          if let reader = state.reader {
            state.reader = nil
            return (reader, true)
          }
          state.piece = piece
          state.writer = continuation
          return (nil, true)
        }
        if let reader {
          reader.resume(returning: piece)
          continuation.resume()
        } else if !isOpen {
          continuation.resume(throwing: Closed())
        }
      }
    } onCancel: {
      end(.failed(Closed()))
    }
  }

  /// The body is complete.
  func finish() { end(.ended) }

  /// The body has ended early.
  func fail(_ error: any Error) { end(.failed(error)) }

  private func end(_ phase: Phase) {
    let (writer, reader) = state.withLock { state in
      defer {
        state.writer = nil
        state.reader = nil
      }
      if case .open = state.phase { state.phase = phase }
      return (state.writer, state.reader)
    }
    writer?.resume(throwing: Closed())
    switch phase {
    case .failed(let error): reader?.resume(throwing: error)
    case .open, .ended: reader?.resume(returning: nil)
    }
  }

  private func next() async throws -> ByteBuffer? {
    try await withCheckedThrowingContinuation { continuation in
      let (outcome, writer) = state.withLock {
        state -> (Result<ByteBuffer?, any Error>?, CheckedContinuation<Void, any Error>?) in
        if let piece = state.piece {
          defer {
            state.piece = nil
            state.writer = nil
          }
          return (.success(piece), state.writer)
        }
        switch state.phase {
        case .ended: return (.success(nil), nil)
        case .failed(let error): return (.failure(error), nil)
        case .open:
          state.reader = continuation
          return (nil, nil)
        }
      }
      if let outcome { continuation.resume(with: outcome) }
      writer?.resume()
    }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let relay: BodyRelay
    mutating func next() async throws -> ByteBuffer? { try await relay.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(relay: self) }
}
