/// Carries the requests of one sign-in to its server. A cancellation that comes before the first keeps it from leaving. One that
/// comes later ends no request: the server may have begun a session, which only its answers name.
package final class ExchangeTransport: Transport {
  private struct State {
    /// Whether a request has left.
    var hasBegun = false
    var isClosed = false
    /// The requests under way, by what gives them up.
    var requests: [UInt64: @Sendable () -> Void] = [:]
    var lastRequest: UInt64 = 0
  }

  private let inner: any Transport
  private let state = Locked(State())

  /// Makes the way of one sign-in over that of all requests.
  package init(_ inner: any Transport) { self.inner = inner }

  /// Whether a request has left and the sign-in has not ended.
  var isUnderWay: Bool { state.withLock { $0.hasBegun && !$0.isClosed } }

  /// Notes that the sign-in has ended, or has had its time. What is under way is given up.
  func close() {
    let requests = state.withLock { state -> [@Sendable () -> Void] in
      state.isClosed = true
      defer { state.requests = [:] }
      return Array(state.requests.values)
    }
    for giveUp in requests { giveUp() }
  }

  package func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await finish { [inner] in try await inner.send(request) }
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await finish { [inner] in try await inner.stream(request) }
  }

  /// Sends a request in a task that the caller's cancellation does not reach.
  private func finish<Response: Sendable>(
    _ perform: @escaping @Sendable () async throws -> Response
  ) async throws -> Response {
    let work = SharedWork<Response>()
    let number = state.withLock { state -> UInt64? in
      guard !Task.isCancelled || (state.hasBegun && !state.isClosed) else { return nil }
      state.hasBegun = true
      state.lastRequest &+= 1
      state.requests[state.lastRequest] = { work.abandon(with: CancellationError()) }
      work.launch(perform)
      return state.lastRequest
    }
    guard let number else { throw CancellationError() }
    defer { state.withLock { _ = $0.requests.removeValue(forKey: number) } }
    return try await work.outcome.get()
  }
}
