/// How a request comes to a layer: from the app, or from a layer above that follows redirects and keeps cookies itself.
package struct Passage: Sendable, Hashable {
  /// Whether the sender is a layer, or an authenticator. The layer below adds its own proof and watches for its own
  /// challenges, and leaves redirects and other cookies to the sender.
  package var isFromLayer = false
  /// Whether the sender follows a redirect with it. It then takes along nothing that belongs to another origin.
  package var isRedirected = false

  package init() {}
}

/// Sends the requests of an authenticator, and says that they are.
struct LayerTransport: Transport {
  let inner: any Transport

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await inner.send(marked(request))
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await inner.stream(marked(request))
  }

  private func marked(_ request: TransportRequest) -> TransportRequest {
    var request = request
    request.passage.isFromLayer = true
    return request
  }
}
