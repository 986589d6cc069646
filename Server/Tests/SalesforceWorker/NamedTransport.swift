import HTTPTypes
import Ostiary
import OstiaryCore

/// Says in every request who sends it.
struct NamedTransport: Transport {
  let name: String
  private let inner = PlatformTransport()

  func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(named(request)) }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(named(request)) }

  private func named(_ request: TransportRequest) -> TransportRequest {
    var request = request
    request.head.headerFields[.userAgent] = "worker-\(name)"
    return request
  }
}
