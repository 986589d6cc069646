internal import HTTPTypes
internal import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// One request on its way: what URLSession pushes, kept for the reader to pull.
final class URLSessionExchange: Sendable {
  /// Above this many unread bytes the sender is held back, on Apple platforms.
  private static let highWater = 512 * 1024
  private static let lowWater = 128 * 1024

  private struct State {
    var head: HTTPResponse?
    var pieces: [Data] = []
    var unread = 0
    var isHeldBack = false
    var end: Result<Void, any Error>?
    var headWaiter: CheckedContinuation<HTTPResponse, any Error>?
    var bodyWaiter: CheckedContinuation<Data?, any Error>?
  }

  let task: URLSessionDataTask
  private let request: HTTPRequest
  private let state = Locked(State())

  init(_ task: URLSessionDataTask, request: HTTPRequest) {
    self.task = task
    self.request = request
  }

  func cancel() {
    finish(CancellationError())
    task.cancel()
  }

  // MARK: What URLSession reports

  func receive(_ response: URLResponse) {
    guard let head = (response as? HTTPURLResponse).flatMap(HTTPResponse.init) else {
      finish(OstiaryError.malformed(request))
      task.cancel()
      return
    }
    let waiter = state.withLock { state in
      state.head = head
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    waiter?.resume(returning: head)
  }

  func receive(_ data: Data) {
    let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
      guard state.end == nil else { return nil }
      if let waiter = state.bodyWaiter {
        state.bodyWaiter = nil
        return waiter
      }
      state.pieces.append(data)
      state.unread += data.count
      #if canImport(Darwin)
        // Elsewhere a task that is suspended in the middle of a body loses some of it.
        if state.unread > Self.highWater, !state.isHeldBack {
          state.isHeldBack = true
          task.suspend()
        }
      #endif
      return nil
    }
    waiter?.resume(returning: data)
  }

  func finish(_ error: (any Error)?) {
    let waiters = state.withLock { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer {
        state.headWaiter = nil
        state.bodyWaiter = nil
      }
      return (head: state.headWaiter, body: state.bodyWaiter)
    }
    waiters.head?.resume(throwing: error ?? OstiaryError.malformed(request))
    if let error { waiters.body?.resume(throwing: error) } else { waiters.body?.resume(returning: nil) }
  }

  // MARK: What the transport asks for

  /// Waits for the response's head.
  func head() async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known = state.withLock { state -> Result<HTTPResponse, any Error>? in
          if let head = state.head { return .success(head) }
          if case .failure(let error) = state.end { return .failure(error) }
          if state.end != nil { return .failure(OstiaryError.malformed(request)) }
          state.headWaiter = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func next() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known = state.withLock { state -> Result<Data?, any Error>? in
          if !state.pieces.isEmpty {
            let piece = state.pieces.removeFirst()
            state.unread -= piece.count
            if state.unread < Self.lowWater, state.isHeldBack {
              state.isHeldBack = false
              task.resume()
            }
            return .success(piece)
          }
          if let end = state.end { return end.map { nil } }
          guard state.bodyWaiter == nil else {
            return .failure(request.unsendable("A response body can be read by one task at a time."))
          }
          state.bodyWaiter = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Reads the body. Dropping it ends the exchange.
  final class Reader: Sendable {
    private let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
      self.exchange = exchange
    }

    deinit {
      exchange.cancel()
    }

    func next() async throws -> Data? {
      do {
        return try await exchange.next()
      } catch {
        throw OstiaryError.describing(error, of: exchange.request, headArrived: true)
      }
    }
  }
}
