internal import HTTPTypes
internal import OstiaryCore

/// The status that one request was answered with, where what follows of it is told otherwise.
final class RequestWatch: Sendable {
  private struct State {
    var path: String?
    var status: Int?
  }

  private let state = Locked(State())

  /// The status of its first answer.
  var status: Int? { state.withLock { $0.status } }

  /// Watches for the answer to a request from now on.
  func watch(_ request: TransportRequest) {
    state.withLock { $0 = State(path: request.head.path, status: nil) }
  }

  fileprivate func note(_ head: HTTPResponse, of request: TransportRequest) {
    state.withLock { state in
      guard let path = state.path, request.head.path == path, state.status == nil else { return }
      state.status = head.status.code
    }
  }
}

/// Passes requests on, and tells a watch of their answers.
struct WatchedTransport: Transport {
  let inner: any Transport
  let watch: RequestWatch

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await inner.send(request)
    watch.note(response.head, of: request)
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await inner.stream(request)
    watch.note(response.head, of: request)
    return response
  }
}
