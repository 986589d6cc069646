/// Sends the requests of an authenticator, and says that they are.
struct LayerTransport: Transport {
  let inner: any Transport
  var isFarewell = false

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await inner.send(marked(request))
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await inner.stream(marked(request))
  }

  private func marked(_ request: TransportRequest) -> TransportRequest {
    var request = request
    request.passage.isFromLayer = true
    request.passage.isFarewell = isFarewell
    return request
  }
}
