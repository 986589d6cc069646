internal import HTTPTypes

/// Sends the requests of an authenticator, and says that they are. It notes what the layers below said of the last one, so
/// that their refusals are not taken for the server's, and keeps the cookies that came with the answers.
final class LayerTransport: Transport {
  private let inner: any Transport
  private let endsSession: Bool
  private let notes = Locked(Notes())

  private struct Notes {
    /// The error of the last request, if it had no answer.
    var failure: OstiaryError?
    var answers: [(request: HTTPRequest, response: HTTPResponse)] = []
  }

  init(inner: any Transport, endsSession: Bool = false) {
    self.inner = inner
    self.endsSession = endsSession
  }

  /// What the layers below said instead of an answer to the last request.
  var failure: OstiaryError? { notes.withLock { $0.failure } }

  /// The answers that set cookies, the oldest first, at most 32.
  var answers: [(request: HTTPRequest, response: HTTPResponse)] { notes.withLock { $0.answers } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await noting(request, head: \.head) { try await inner.send($0) }
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await noting(request, head: \.head) { try await inner.stream($0) }
  }

  private func noting<Response: Sendable>(
    _ request: TransportRequest, head: @Sendable (Response) -> HTTPResponse,
    _ perform: (TransportRequest) async throws -> Response
  ) async throws -> Response {
    var request = request
    request.layerContext.isFromLayer = true
    request.layerContext.endsSession = endsSession
    do {
      let response = try await perform(request)
      let head = head(response)
      notes.withLock { notes in
        notes.failure = nil
        if head.headerFields[.setCookie] != nil, notes.answers.count < 32 { notes.answers.append((request.head, head)) }
      }
      return response
    } catch {
      notes.withLock { $0.failure = error as? OstiaryError }
      throw error
    }
  }
}
