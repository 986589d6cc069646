internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// The way for requests in the name of a session: its proof is added, renewed and sent again with. A request that can't carry
/// it, because the session has ended meanwhile or the server doesn't take it, is not sent without.
struct SalesforceTransport: Transport {
  private let session: AuthenticatedTransport

  init(_ manager: SessionManager) {
    session = AuthenticatedTransport(manager, over: ProvenTransport(inner: manager.transport))
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await session.send(Self.bare(request))
  }
  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await session.stream(Self.bare(request))
  }

  /// The request without proof of its sender's own, which would pass for the session's.
  private static func bare(_ request: TransportRequest) -> TransportRequest {
    guard request.head.headerFields[.authorization] != nil else { return request }
    var request = request
    request.head.headerFields[.authorization] = nil
    return request
  }
}

/// Sends what carries proof, and redirects, which go elsewhere without.
private struct ProvenTransport: Transport {
  let inner: any Transport

  func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(proven(request)) }
  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(proven(request)) }

  private func proven(_ request: TransportRequest) throws -> TransportRequest {
    guard request.head.headerFields[.authorization] != nil || request.layerContext.isRedirected else {
      throw OstiaryError(
        .interactionRequired, "The session ended before the request was sent.", request: request.head,
        requestMayHaveExecuted: false)
    }
    return request
  }
}
